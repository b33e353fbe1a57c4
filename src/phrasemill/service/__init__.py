"""The HTTP service and its page; docs/service.md tells how to run it, `schemas.py` what goes in and out.

`app.py` puts it together. On the way in: `connections.py` (HTTP), `gate.py` (who may ask, and how much), `routes.py`
(the addresses), `jobs.py` (what is asked of workers). `crew.py` and `lanes.py` are the worker processes, seen from the
event loop and from threads; `steps.py` is what they do, and `work.py` how.
"""
