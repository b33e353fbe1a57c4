"""The HTTP service and its page; docs/service.md tells how to run it, `schemas.py` what goes in and out.

`app.py` puts it together; `gate.py` is what every request passes; `routes.py` the answers; `crew.py` the worker
processes and `work.py` what they do.
"""
