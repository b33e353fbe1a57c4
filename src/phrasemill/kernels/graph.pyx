"""Word graphs: co-occurrence counted within a window, random walks over them, and which words the walks prefer."""

from cpython.array cimport array, clone, resize
from libc.math cimport fabs, sqrt
from libc.stdlib cimport calloc, free

from phrasemill.kernels.text cimport STOPWORD, WORD, Occurrences, Text, released, restored

cdef array INTS = array("i"), DOUBLES = array("d")
TOLERANCE = 0.0001  # Mihalcea and Tarau, 2004; here over the sum of all changes


cdef class Words:
    """The words of a text whose tags are `allowed` (256 bytes), without stopwords: nodes, one per stem, numbered by
    first occurrence. `node` has the node of each token, -1 where there is none. With all tags, nodes are the stems."""

    def __init__(self, Text text not None, bytes allowed=None):
        self.text = text
        self.node = clone(INTS, text.count, False)
        cdef int *node = self.node.data.as_ints
        cdef Py_ssize_t i
        if allowed is None:
            self.count = text.stems
            for i in range(text.count):
                # Without a branch, which a processor could not foresee: words and others alternate.
                node[i] = ((text.stem[i] + 1) & -<int>(text.kind[i] & (WORD | STOPWORD) == WORD)) - 1
            return
        cdef array numbers = clone(INTS, text.stems, True)
        cdef int *number = numbers.data.as_ints
        cdef const unsigned char *tags = allowed
        state = released(text.count)
        self.count = _numbered(text, tags, node, number)
        restored(state)

    def runs(self, bytes kept=None):
        """Return token bounds of the maximal runs of nodes within sentences, of those that are `kept` (a byte each) if
        that is given: two columns."""
        cdef Text text = self.text
        cdef Py_ssize_t most = (text.count + text.sentences.shape[0] + 1) // 2  # a gap or a sentence's end parts two
        cdef array starts = clone(INTS, most, False), ends = clone(INTS, most, False)
        cdef int *start = starts.data.as_ints
        cdef int *end = ends.data.as_ints
        cdef const int *node = self.node.data.as_ints
        cdef const unsigned char *chosen = NULL
        if kept is not None:
            chosen = kept
        state = released(text.count)
        cdef Py_ssize_t found = _runs(text, node, chosen, start, end)
        restored(state)
        resize(starts, found)
        resize(ends, found)
        return starts, ends

    def sums(self, Occurrences candidates not None, array rank not None):
        """Return for each candidate the sum of the ranks of the words of its first occurrence."""
        cdef array result = clone(DOUBLES, candidates.count, True)
        cdef double *out = result.data.as_doubles
        cdef const double *ranks = rank.data.as_doubles
        cdef const int *node = self.node.data.as_ints
        cdef Py_ssize_t c, i, o
        for c in range(candidates.count):
            o = candidates.first[c]
            for i in range(candidates.start[o], candidates.end[o]):
                if node[i] >= 0:
                    out[c] += ranks[node[i]]
        return result

    def earliness(self):
        """Return for each node the sum of one over the positions of its tokens, which count from 1."""
        cdef array result = clone(DOUBLES, self.count, True)
        cdef double *out = result.data.as_doubles
        cdef const int *node = self.node.data.as_ints
        cdef double position = 0.0
        cdef Py_ssize_t i
        for i in range(self.text.count):
            position += 1.0
            if node[i] >= 0:
                out[node[i]] += 1.0 / position
        return result

    def fits(
        self,
        dict index not None,
        const unsigned char[::1] levels,
        array probability not None,
        Py_ssize_t topics,
        int rounds,
    ):
        """Return how well each node fits the topics of the text under a topic model: the cosine between
        P(word | topics) and P(topics | text); 0 for words that the model does not have.

        The model has a row of levels for each word, by its number in `index`, and
        `probability` is what each level stands for.
        """
        cdef array result = clone(DOUBLES, self.count, True)
        cdef array tokens = clone(INTS, self.count, True), rows = clone(INTS, self.count, False)
        cdef const int *node = self.node.data.as_ints
        cdef Py_ssize_t known = 0, met = 0, i, z
        for i in range(self.text.count):
            if node[i] < 0:
                continue
            if node[i] == met:
                row = index.get(self.text.stem_strings[self.text.stem[i]])
                rows.data.as_ints[met] = -1 if row is None else row
                known += row is not None
                met += 1
            tokens.data.as_ints[node[i]] += 1
        cdef array table = clone(DOUBLES, known * topics, False), columns = clone(DOUBLES, 3 * known, False)
        cdef array mixtures = clone(DOUBLES, 2 * topics, False)
        cdef double *of_word = table.data.as_doubles
        cdef double *count = columns.data.as_doubles
        cdef double *theta = mixtures.data.as_doubles
        cdef Py_ssize_t w = 0
        for i in range(self.count):
            if rows.data.as_ints[i] >= 0:
                for z in range(topics):
                    of_word[w * topics + z] = probability.data.as_doubles[levels[rows.data.as_ints[i] * topics + z]]
                count[w] = tokens.data.as_ints[i]
                w += 1
        state = released(self.text.count)
        _mix(of_word, count, known, topics, rounds, count + known, theta, theta + topics)
        _compare(of_word, known, topics, theta, count + known, count + 2 * known)
        restored(state)
        w = 2 * known
        for i in range(self.count):
            if rows.data.as_ints[i] >= 0:
                result.data.as_doubles[i] = count[w]
                w += 1
        return result

    def graph(self, window, bint weighted=True):
        """Return the graph of these words: two are joined where they stand within `window` positions of each other, so
        that 2 joins neighbours; the weight of an edge is how often they do, or 1."""
        cdef array firsts = clone(INTS, self.count + 1, True)
        cdef int *first = firsts.data.as_ints
        cdef const int *node = self.node.data.as_ints
        cdef Py_ssize_t count = self.text.count, reach = min(window, count)
        cdef Pairs pairs
        state = released(count)
        cdef bint made = make_room(&pairs, self.count) and _meetings(node, count, reach, &pairs, first)
        restored(state)
        try:
            if not made:
                raise MemoryError
            return _graph(&pairs, firsts, weighted)
        finally:
            let_go(&pairs)


cdef int _numbered(Text text, const unsigned char *allowed, int *node, int *number) noexcept nogil:
    """Fill `node`, and return how many nodes there are. `number` has one more than the node of a stem; 0 is none yet."""
    cdef int found = 0, wanted
    cdef Py_ssize_t i
    cdef int *of_stem
    for i in range(text.count):
        wanted = <int>(text.kind[i] & (WORD | STOPWORD) == WORD) & allowed[text.tag[i]]
        of_stem = &number[text.stem[i]]
        if wanted > of_stem[0]:
            found += 1
            of_stem[0] = found
        node[i] = (of_stem[0] & -wanted) - 1
    return found


cdef Py_ssize_t _runs(Text text, const int *node, const unsigned char *kept, int *start, int *end) noexcept nogil:
    cdef Py_ssize_t found = 0, i = 0, s, stop
    for s in range(text.sentences.shape[0]):
        stop = text.sentences[s]
        while i < stop:
            if node[i] < 0 or (kept != NULL and not kept[node[i]]):
                i += 1
                continue
            start[found] = i
            while i < stop and node[i] >= 0 and (kept == NULL or kept[node[i]]):
                i += 1
            end[found] = i
            found += 1
    return found


# Topics of the text.

cdef void _mix(
    const double *of_word,
    const double *count,
    Py_ssize_t words,
    Py_ssize_t topics,
    int rounds,
    double *evidence,
    double *theta,
    double *following,
) noexcept nogil:
    """Fill `theta` with P(topic | text), by so many rounds of expectation maximisation from an even start, with one
    word's worth of smoothing."""
    cdef Py_ssize_t r, w, z
    cdef double scale, total
    for z in range(topics):
        theta[z] = 1.0 / topics
    for r in range(rounds):
        for z in range(topics):
            following[z] = 1.0 / topics
        products(of_word, words, topics, theta, evidence)
        for w in range(words):
            if evidence[w] > 0.0:
                scale = count[w] / evidence[w]
                for z in range(topics):
                    following[z] += scale * theta[z] * of_word[w * topics + z]
        total = 0.0
        for z in range(topics):
            total += following[z]
        for z in range(topics):
            theta[z] = following[z] / total


cdef void _compare(
    const double *of_word, Py_ssize_t words, Py_ssize_t topics, const double *theta, double *dot, double *cosine
) noexcept nogil:
    cdef Py_ssize_t w, z
    cdef double own, other = 0.0
    for z in range(topics):
        other += theta[z] * theta[z]
    products(of_word, words, topics, theta, dot)
    for w in range(words):
        own = 0.0
        for z in range(topics):
            own += of_word[w * topics + z] * of_word[w * topics + z]
        cosine[w] = dot[w] / sqrt(own * other) if own > 0.0 else 0.0


# Pairs.

cdef bint make_room(Pairs *pairs, Py_ssize_t words) noexcept nogil:
    """Open an empty table; return whether there is memory for it. It is to be let go in either case."""
    cdef Py_ssize_t size = 64
    while size < 2 * words:
        size *= 2
    pairs.mask = size - 1
    pairs.used = 0
    pairs.key = <long long *>calloc(size, sizeof(long long))
    pairs.count = <int *>calloc(size, sizeof(int))
    return pairs.key != NULL and pairs.count != NULL


cdef bint add(Pairs *pairs, Py_ssize_t slot, long long a, long long b) noexcept nogil:
    """Enter a pair in its free slot, whose count may be set; return whether memory sufficed. Slots may move."""
    cdef Pairs larger
    cdef Py_ssize_t i, place
    pairs.key[slot] = ((a << 31) | b) + 1
    pairs.used += 1
    if 2 * pairs.used <= pairs.mask + 1:
        return True
    if not make_room(&larger, pairs.mask + 1):
        let_go(&larger)
        return False
    larger.used = pairs.used
    for i in range(pairs.mask + 1):
        if pairs.key[i] != 0:
            place = slot_of(&larger, (pairs.key[i] - 1) >> 31, (pairs.key[i] - 1) & 0x7FFFFFFF)
            larger.key[place] = pairs.key[i]
            larger.count[place] = pairs.count[i]
    let_go(pairs)
    pairs[0] = larger
    return True


cdef void let_go(Pairs *pairs) noexcept nogil:
    free(pairs.key)
    free(pairs.count)


# Graphs.

cdef bint _meetings(const int *node, Py_ssize_t count, Py_ssize_t window, Pairs *pairs, int *first) noexcept nogil:
    """Count the pairs of nodes that stand together, and in `first` how many different ones each node is in, one place
    further on; return whether memory sufficed."""
    cdef Py_ssize_t i, j, a, b, slot
    for i in range(count):
        if node[i] < 0:
            continue
        for j in range(i + 1, min(i + window, count)):
            if node[j] < 0 or node[i] == node[j]:
                continue
            a = min(node[i], node[j])
            b = max(node[i], node[j])
            slot = slot_of(pairs, a, b)
            pairs.count[slot] += 1
            if pairs.key[slot] == 0:
                first[a + 1] += 1
                first[b + 1] += 1
                if not add(pairs, slot, a, b):
                    return False
    return True


cdef Graph _graph(const Pairs *pairs, array firsts, bint weighted):
    """Return the graph with these edges; `firsts` has the degree of each node, one place further on."""
    cdef int *first = firsts.data.as_ints
    cdef Py_ssize_t nodes = len(firsts) - 1, v
    for v in range(nodes):
        first[v + 1] += first[v]
    cdef array neighbours = clone(INTS, first[nodes], False), weights = clone(INTS, first[nodes], False)
    cdef int *neighbour = neighbours.data.as_ints
    cdef int *weight = weights.data.as_ints
    state = released(first[nodes])
    _fill(pairs, weighted, first, neighbour, weight)
    for v in range(nodes, 0, -1):  # filling moved `first` on to the next row
        first[v] = first[v - 1]
    first[0] = 0
    restored(state)
    return Graph(firsts, neighbours, weights)


cdef void _fill(const Pairs *pairs, bint weighted, int *first, int *neighbour, int *weight) noexcept nogil:
    cdef Py_ssize_t slot, a, b
    for slot in range(pairs.mask + 1):
        if pairs.key[slot] != 0:
            a = (pairs.key[slot] - 1) >> 31
            b = (pairs.key[slot] - 1) & 0x7FFFFFFF
            neighbour[first[a]] = b
            neighbour[first[b]] = a
            weight[first[a]] = weight[first[b]] = pairs.count[slot] if weighted else 1
            first[a] += 1
            first[b] += 1


cdef class Graph:
    """An undirected graph in compressed rows: the neighbours of node `v` are `neighbour[first[v]:first[v + 1]]`, and
    each pair has a whole number as its weight."""

    cdef readonly array first
    cdef readonly array neighbour
    cdef readonly array weight

    def __init__(self, array first not None, array neighbour not None, array weight not None):
        self.first, self.neighbour, self.weight = first, neighbour, weight

    def walk(self, double damping, array importance=None):
        """Return how often a random walk visits each node. It follows edges by weight, and jumps with 1 - `damping`,
        and from nodes without edges: to nodes in proportion to their `importance`, which are not negative, or to any
        node alike where none are given or all are zero."""
        cdef Py_ssize_t nodes = len(self.first) - 1, v
        cdef array ranks = clone(DOUBLES, nodes, False), room = clone(DOUBLES, 3 * nodes, False)
        cdef double *rank = ranks.data.as_doubles
        cdef double *jump = room.data.as_doubles
        cdef const int *first = self.first.data.as_ints
        cdef const int *neighbour = self.neighbour.data.as_ints
        cdef const int *weight = self.weight.data.as_ints
        cdef double sum_of_all = 0.0
        if importance is not None:
            for v in range(nodes):
                sum_of_all += importance.data.as_doubles[v]
        for v in range(nodes):
            rank[v] = 1.0 / nodes
            jump[v] = importance.data.as_doubles[v] / sum_of_all if sum_of_all > 0.0 else rank[v]
        state = released(nodes)
        _walk(first, neighbour, weight, nodes, damping, jump, rank, jump + nodes, jump + 2 * nodes)
        restored(state)
        return ranks


cdef void _walk(
    const int *first,
    const int *neighbour,
    const int *weight,
    Py_ssize_t nodes,
    double damping,
    const double *jump,
    double *rank,
    double *share,
    double *total,
) noexcept nogil:
    """Move `rank` from its start to the stationary distribution."""
    cdef Py_ssize_t v, e, r
    cdef double loose, base, change, incoming
    for v in range(nodes):
        total[v] = 0.0
        for e in range(first[v], first[v + 1]):
            total[v] += weight[e]
    for r in range(MOST_ROUNDS):
        loose = 0.0
        for v in range(nodes):
            share[v] = rank[v] / total[v] if total[v] > 0.0 else 0.0
            if total[v] <= 0.0:
                loose += rank[v]
        base = 1.0 - damping + damping * loose
        change = 0.0
        for v in range(nodes):
            incoming = 0.0
            for e in range(first[v], first[v + 1]):
                incoming += share[neighbour[e]] * weight[e]
            incoming = base * jump[v] + damping * incoming
            change += fabs(incoming - rank[v])
            rank[v] = incoming
        if change < TOLERANCE:
            return
