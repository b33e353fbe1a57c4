"""One pass of the tagger's averaged perceptron over the training sentences."""

import cython


@cython.cfunc
@cython.inline
def _append(
    rows: cython.int[::1],
    n: cython.int,
    slot: cython.Py_ssize_t,
    starts: cython.const[cython.int][::1],
    ids: cython.const[cython.int][::1],
) -> cython.int:
    """Append the rows of one word at one position."""
    k: cython.Py_ssize_t
    for k in range(starts[slot], starts[slot + 1]):
        rows[n] = ids[k]
        n += 1
    return n


@cython.cfunc
def _score(rows: cython.int[::1], n: cython.int, weights: cython.float[::1], scores: cython.float[::1]) -> cython.void:
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for k in range(48):
        scores[k] = 0.0
    for r in range(n):
        start: cython.Py_ssize_t = rows[r]
        start *= 48
        for k in range(48):
            scores[k] = scores[k] + weights[start + k]


@cython.cfunc
def _best(scores: cython.float[::1], last: cython.int, without: cython.int) -> cython.int:
    """Return the tag from 1 to `last` with the highest score, `without` left out."""
    best: cython.int = 2 if without == 1 else 1
    k: cython.int
    for k in range(best + 1, last + 1):
        if k != without and scores[k] > scores[best]:
            best = k
    return best


@cython.cfunc
def _update(
    rows: cython.int[::1],
    n: cython.int,
    right: cython.int,
    wrong: cython.int,
    weights: cython.float[::1],
    sums: cython.float[::1],
    clock: cython.double,
) -> cython.void:
    r: cython.Py_ssize_t
    for r in range(n):
        start: cython.Py_ssize_t = rows[r]
        start *= 48
        weights[start + right] += 1.0
        sums[start + right] += clock
        weights[start + wrong] -= 1.0
        sums[start + wrong] -= clock


def learn(
    order: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    types: cython.const[cython.int][::1],
    gold: cython.const[cython.uchar][::1],
    manners: cython.const[cython.uchar][::1],
    cases: cython.const[cython.uchar][::1],
    blocks: cython.const[cython.int][::1],
    starts: cython.const[cython.int][::1],
    ids: cython.const[cython.int][::1],
    bases: cython.const[cython.int][::1],
    weights: cython.float[::1],
    sums: cython.float[::1],
    rows: cython.int[::1],
    scores: cython.float[::1],
    last: cython.int,
    margin: cython.float,
    clock: cython.double,
) -> cython.int:
    """Go through the sentences in `order`, and correct the weights wherever the right tag does not win by `margin`.

    `types` counts from 1, 0 being the place beyond a sentence's end; `starts` and `ids` list the rows of every type
    at every position; `bases` says where the rows of the tags before begin: one tag, two tags, a tag and how the
    word is written, a tag and the word. `sums` collects what averaging needs: the average is weights - sums / clock
    at the end. Returns the number of tokens tagged wrongly on the way.
    """
    i: cython.Py_ssize_t
    p: cython.int
    errors: cython.int = 0
    for turn in range(len(order)):
        sentence = order[turn]
        start: cython.Py_ssize_t = ends[sentence - 1] if sentence > 0 else 0
        end: cython.Py_ssize_t = ends[sentence]
        before: cython.int = 0
        best: cython.int = 0
        quoted: cython.int = 0
        for i in range(start, end):
            n: cython.int = 0
            for p in range(5):
                place: cython.Py_ssize_t = i + p - 2
                n = _append(rows, n, (types[place] if start <= place < end else 0) * 5 + p, starts, ids)
            written: cython.int = cases[types[i]]
            if written == 8:
                written += quoted
                quoted = 1 - quoted
            rows[n] = bases[0] + best
            rows[n + 1] = bases[1] + before * 48 + best
            rows[n + 2] = bases[2] + (manners[sentence] * 10 + written) * 48 + best
            n += 3
            if blocks[types[i]] >= 0:
                rows[n] = bases[3] + blocks[types[i]] * 48 + best
                n += 1
            _score(rows, n, weights, scores)
            chosen = _best(scores, last, 0)
            errors += chosen != gold[i]
            rival = _best(scores, last, gold[i])
            if scores[gold[i]] - scores[rival] <= margin:
                _update(rows, n, gold[i], rival, weights, sums, clock)
            clock += 1.0
            before = best
            best = chosen
    return errors
