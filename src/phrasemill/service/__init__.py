"""The HTTP service and its page; docs/reference/service.md describes how to run it, `schemas.py` what goes in and out.

    connections.py → gate.py → routes.py → work.py → pool.py → a worker process: steps.py

`connections.py` parses HTTP, `gate.py` admits a request and receives its body, `routes.py` has the addresses, `work.py`
turns a request into steps, and `pool.py` runs each step in a worker process. `app.py` puts the application together,
`server.py` runs it.

Jobs are uploads that are worked on after the answer: `spool.py` has their bytes on disk, `job.py` a job, `job_store.py`
all of them, `job_runner.py` works on them by `job_steps.py`, and `job_routes.py` has the addresses.
`phrasemill.client` is a client of all this.
"""
