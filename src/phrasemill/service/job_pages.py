"""The pages of a job's PDFs: as images, and where the keyphrases stand on them; steps of a worker."""

from pathlib import Path

from phrasemill.service.bodies import encoded
from phrasemill.service.job_steps import StoredDocument, spans_of, stored
from phrasemill.service.problems import Refusal
from phrasemill.types import Span


def page_image(_: object, *, file: str, number: int, width: int) -> bytes:
    """Return a page of the PDF `file` as PNG."""
    from phrasemill.readers.pdf_pages import page_image

    return page_image(Path(file).read_bytes(), number, width=width)


def page_marks(_: object, *, file: str, document: StoredDocument, record: str) -> bytes:
    """Return the pages of the PDF `file` with the boxes of the document's keyphrases, as JSON."""
    from phrasemill.readers.pdf_pages import page_marks

    spans = [[Span(*span) for span in found] for found in spans_of(record)] if record else []
    pages = page_marks(Path(file).read_bytes(), stored(document, document.id), spans)
    return encoded(
        [
            {
                "number": page.number,
                "width": page.width,
                "height": page.height,
                "marks": [{"keyphrase": index, "box": box} for index, *box in page.boxes],
            }
            for page in pages
        ]
    )


def check_page(document: StoredDocument | None, number: int = 1) -> StoredDocument:
    """Return the document; raise a `Refusal` if it is no PDF, or has no such page."""
    if document is None or not document.pages:
        raise Refusal("not-found", "this document has no pages")
    if not 1 <= number <= document.pages:
        raise Refusal("not-found", f"there are {document.pages} pages in it")
    return document
