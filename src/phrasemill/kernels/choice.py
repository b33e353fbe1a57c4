"""From scores to phrases: the best few candidates, their wording and their places in the text."""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython


def best(scores: cython.const[cython.double][::1], most: cython.Py_ssize_t) -> array:
    """Return the numbers of the `most` highest scores, the highest first; of equals the earlier first."""
    count: cython.Py_ssize_t = len(scores)
    most = min(most, count)
    result = array("i", bytes(4 * most))
    chosen: cython.int[::1] = result
    found: cython.Py_ssize_t = 0
    if most == 0:
        return result
    for i in range(count):
        if found == most:
            if not scores[i] > scores[chosen[most - 1]]:
                continue
            found -= 1
        place = found
        while place > 0 and scores[i] > scores[chosen[place - 1]]:
            chosen[place] = chosen[place - 1]
            place -= 1
        chosen[place] = i
        found += 1
    return result


def phrases(
    text: str,
    chosen: list,
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_start: cython.const[cython.int][::1],
    token_end: cython.const[cython.int][::1],
    span: type,
) -> tuple:
    """Return for each of the `chosen` candidates its wording, and its places, each a `span` of two numbers; and which
    of them are in capitals or have a hyphen before a space, and may have a better wording."""
    result: list = []
    doubtful: list = []
    make = tuple.__new__
    c: cython.Py_ssize_t
    o: cython.Py_ssize_t
    for c in chosen:
        spans: list = []
        pieces: list = []
        for o in range(first[c], first[c + 1]):
            a: cython.Py_ssize_t = token_start[start[o]]
            b: cython.Py_ssize_t = token_end[end[o] - 1]
            spans.append(make(span, (a, b)))
            pieces.append(text[a:b])
        written: str = wording(pieces)
        if written.isupper() or "- " in written or "\u00ac " in written or "\u00ad " in written or "\u2010 " in written:
            doubtful.append(len(result))
        result.append((written, tuple(spans)))
    return result, doubtful


@cython.ccall
def wording(pieces: list) -> str:
    """Return the most frequent of the pieces, the earliest on a tie, on one line."""
    counts: dict = {}
    folded: dict = {}
    piece: str
    if len(pieces) > 1:
        for piece in pieces:
            counts[piece] = counts.get(piece, 0) + 1
        if len(counts) > 1:
            # White space is folded only now: line breaks within phrases are rare.
            for piece, count in counts.items():
                piece = " ".join(piece.split())
                folded[piece] = folded.get(piece, 0) + count
            counts = folded
        piece = max(counts, key=counts.__getitem__)
    else:
        piece = pieces[0]
    return " ".join(piece.split())
