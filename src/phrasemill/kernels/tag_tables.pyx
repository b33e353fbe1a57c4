"""Whether the tables of a tagger's model fit together; kernels/tag_features.py reads them without checks."""

import cython

WIDTH = cython.declare(cython.int, 48)  # tags at most, as in kernels/tag_features.py


def sound(
    buckets: cython.const[cython.uint][::1],
    offsets: cython.const[cython.uint][::1],
    prints: cython.const[cython.ushort][::1],
    counts: cython.const[cython.uchar][::1],
    tags: cython.const[cython.uchar][::1],
    weights: cython.const[cython.schar][::1],
) -> cython.bint:
    """Return whether the tables fit together, so that no lookup can leave them."""
    feature: cython.Py_ssize_t = 0
    entry: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(buckets) - 1
    highest: cython.uchar = 0
    if (
        size < 1
        or size & (size - 1)
        or len(offsets) != size + 1
        or len(prints) != len(counts)
        or len(tags) != len(weights)
    ):
        return False
    for bucket in range(size):
        if buckets[bucket] != feature or offsets[bucket] != entry:
            return False
        if buckets[bucket + 1] < feature or buckets[bucket + 1] > len(counts):
            return False
        for i in range(feature, buckets[bucket + 1]):
            entry += counts[i]
        feature = buckets[bucket + 1]
    for i in range(len(tags)):
        highest = tags[i] if tags[i] > highest else highest
    return highest < WIDTH and feature == len(counts) and entry == len(tags) and offsets[size] == entry


def sound_lexicon(
    buckets: cython.const[cython.uint][::1],
    prints: cython.const[cython.ushort][::1],
    classes: cython.const[cython.uchar][::1],
    columns: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether the tables of a lexicon fit together, so that no lookup can leave them."""
    size: cython.Py_ssize_t = len(buckets) - 1
    if size < 1 or size & (size - 1) or buckets[0] != 0 or buckets[size] != len(prints):
        return False
    for bucket in range(size):
        if buckets[bucket + 1] < buckets[bucket]:
            return False
    return len(classes) == len(prints) * columns
