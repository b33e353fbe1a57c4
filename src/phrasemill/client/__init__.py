"""A client of the service: `Client` waits for each answer, `AsyncClient` is awaited.

    with Client("http://127.0.0.1:8000") as client:
        for document in client.extract(["Salt water moves inland."], top=3):
            print(document.id, [keyphrase.text for keyphrase in document.keyphrases])
        job = client.create_job(["papers/"])
        client.wait(job.id)
        client.result(job.id, format="csv")

`calls.py` describes every request once, for both clients; `answers.py` has what comes back. It needs httpx (extra
`client`), which has both ways of sending; the standard library has no asynchronous one.
"""

from phrasemill.client.answers import Answer, Job, JobEvent, JobRow, JobRows, Mark, Page, ServiceError
from phrasemill.client.clients import AsyncClient, Client

__all__ = [
    "Answer",
    "AsyncClient",
    "Client",
    "Job",
    "JobEvent",
    "JobRow",
    "JobRows",
    "Mark",
    "Page",
    "ServiceError",
]
