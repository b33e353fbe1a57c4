"""The keyphrases of sets as one HTML file: each phrase with its documents, and quotes in context."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from phrasemill.evaluation.page import Html, Section, bar, code, folded, html, listed, page, paragraph
from phrasemill.sets.results import SetKeyphrase, SetKeyphrases
from phrasemill.types import Span

CONTEXT = 80  # characters of context on either side of a quote
QUOTES = 3  # of one document
MOST_DOCUMENTS = 30  # of one phrase; the others are counted
VARIANTS = 6


@dataclass(frozen=True, slots=True)
class SetResult:
    """The keyphrases of one set, the spec of the method that found them, and texts and languages of its documents by
    id."""

    id: str
    method: str
    keyphrases: SetKeyphrases
    texts: Mapping[str, str]
    languages: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"{self.id} ({len(self.texts):,} document{'' if len(self.texts) == 1 else 's'})"


def report(sets: Sequence[SetResult]) -> str:
    """Return the whole page."""
    title = f"Keyphrases of {sets[0].id}" if len(sets) == 1 else f"Keyphrases of {len(sets)} sets"
    return page(title, [_section(one) for one in sets], contents=len(sets) > 1)


def _section(one: SetResult) -> Section:
    about = Html(f'<p class="quiet">By {code(one.method)}. Open a phrase to see where it stands.</p>')
    notes = [paragraph(note, kind="warning") for note in one.keyphrases.notes]
    phrases = [_phrase(phrase, rank, one.texts) for rank, phrase in enumerate(one.keyphrases, start=1)]
    return Section(one.title, [about, *notes, *(phrases or [paragraph("No keyphrases.")])])


def _phrase(phrase: SetKeyphrase, rank: int, texts: Mapping[str, str]) -> Html:
    """Return a phrase that opens to its documents."""
    about = []
    if others := [variant for variant in phrase.variants if variant != phrase.text][:VARIANTS]:
        about.append(f"also {', '.join(others)}")
    if (c := phrase.contrast) is not None:
        about.append(f"{c.other_documents} of {c.other_total} in the other set")
        about.append(f"{c.ratio:.1f} times as common, p = {c.p:.2g}, corrected {c.q:.2g}")
    share = phrase.documents / phrase.total if phrase.total else 0.0
    drawn = bar(share, label=f"{share:.0%} of the documents")
    head = f"{rank}. <strong>{html(phrase.text)}</strong> {drawn} {phrase.documents} of {phrase.total}"
    summary = Html(f'{head} <span class="quiet">{html("; ".join(about))}</span>')
    shown = phrase.mentions[:MOST_DOCUMENTS]
    items = [Html(html(one.document) + _quotes(texts[one.document], one.spans)) for one in shown]
    more = len(phrase.mentions) - len(shown)
    return folded(summary, [listed(items), *([f"and {more:,} more documents"] if more else [])])


def _quotes(text: str, spans: Sequence[Span]) -> str:
    """Return up to QUOTES passages that do not overlap, cut at words, with the places in them marked, and how many
    places are not shown."""
    quotes, left = "", list(spans)
    for _ in range(QUOTES):
        if left:
            first = left[0]
            begin, stop = first.start - CONTEXT, first.end + CONTEXT
            begin = text.find(" ", begin, first.start) + 1 or first.start if begin > 0 else 0
            stop = max(text.rfind(" ", first.end, stop), first.end) if stop < len(text) else len(text)
            shown, at = "… " if begin else "", begin
            while left and left[0].end <= stop:
                span = left.pop(0)
                shown += f"{html(text[at : span.start])}<mark>{html(text[span.start : span.end])}</mark>"
                at = span.end
            quotes += f"<blockquote>{shown}{html(text[at:stop])}{' …' if stop < len(text) else ''}</blockquote>"
    return quotes + (f'<p class="quiet">and {len(left):,} more</p>' if left else "")
