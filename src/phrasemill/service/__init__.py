"""The HTTP service and its page; docs/reference/service.md describes how to run it, `models.py` what goes in and out.

    server.py → guard.py → routes.py → pool.py → a worker process: steps.py

`server.py` runs Granian, which parses HTTP. `guard.py` admits a request and receives its body, `routes.py` has the
addresses, `requests.py` what they share, and `pool.py` runs each step in a worker process. `app.py` puts it together.

Jobs are uploads that are worked on after the answer: `jobs.py` has them in a database, `job_runner.py` works on them by
`job_steps.py`, `results.py` writes what they found, and `job_routes.py` has the addresses.
"""
