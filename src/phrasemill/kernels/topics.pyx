"""The topics of a text: clusters of candidates that share words, how close they stand, and walks over them."""

from cpython.array cimport array, clone, resize
from libc.math cimport exp, fabs
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from phrasemill.kernels.graph cimport MOST_ROUNDS, TOLERANCE, products
from phrasemill.kernels.text cimport Occurrences, released, restored

cdef array BYTES = array("B"), INTS = array("i"), DOUBLES = array("d")


# Clusters. Only candidates that share a stem are alike at all, so sums of similarities are kept for those pairs alone,
# as edges. When one cluster takes in another, their edges to the same third cluster become one with the sum of both.

cdef struct Edge:
    # The pair of candidates `end[0]` < `end[1]`. Each cluster has a list of its edges: entry 2e is edge e in the list of
    # `end[0]`, entry 2e + 1 in that of `end[1]`; `following` leads from either to the next.
    int end[2]
    int following[2]
    double total  # the similarities of all pairs in it


cdef struct Edges:
    Edge *edge  # in C memory, because it grows without the GIL
    Py_ssize_t count
    Py_ssize_t room


cdef struct Cluster:
    int size
    int head  # of the list of its edges, -1 for none
    int mark  # its edge to the cluster that is growing …
    int stamp  # … where this is the number of the merge


cdef struct Entry:
    # Of a heap: the most alike first; as alike, the earlier pair of clusters first.
    double alike
    long long pair
    int edge


cdef struct Member:
    # A stem of a candidate.
    int candidate
    int earlier  # the entry of the same stem before it, -1 for none


def cluster(Occurrences candidates not None, double least):
    """Return the topic of each candidate, numbered by first candidate: average linkage on the Jaccard similarity of
    stems, cut where the best pair of clusters is less alike than `least`."""
    cdef Py_ssize_t count = candidates.count, words = 0, c
    for c in range(count):
        words += candidates.end[candidates.first[c]] - candidates.start[candidates.first[c]]
    cdef array by_word = clone(BYTES, words * sizeof(Member), False)
    cdef array by_stem = clone(INTS, 2 * candidates.text.stems, False)
    cdef array by_candidate = clone(INTS, 3 * count, True)
    cdef array by_cluster = clone(BYTES, count * sizeof(Cluster), False)
    cdef array result = clone(INTS, count, False)
    cdef Member *member = <Member *>by_word.data.as_voidptr
    cdef int *last = by_stem.data.as_ints
    cdef int *size = by_candidate.data.as_ints
    cdef Cluster *clusters = <Cluster *>by_cluster.data.as_voidptr
    cdef int *parent = result.data.as_ints
    cdef Edges edges = Edges(NULL, 0, 0)
    state = released(candidates.text.count)
    for c in range(count):
        clusters[c] = Cluster(1, -1, 0, -1)
        parent[c] = c
    cdef bint made = _find_edges(candidates, member, last, size, clusters, &edges) and _link(
        &edges, clusters, parent, least
    )
    cdef int topics = 0
    for c in range(count):
        if parent[c] == c:
            parent[c] = topics
            topics += 1
        else:
            parent[c] = parent[parent[c]]  # an earlier candidate, which has its topic already
    restored(state)
    free(edges.edge)
    if not made:
        raise MemoryError
    return result


cdef bint _find_edges(
    Occurrences candidates, Member *member, int *last, int *size, Cluster *clusters, Edges *edges
) noexcept nogil:
    """Find the pairs of candidates that share a stem, and their similarities; return whether memory sufficed."""
    cdef Py_ssize_t found = 0, count = candidates.count, others, at, t, k, o, c, s
    cdef int *seen = last + candidates.text.stems
    cdef int *shared = size + count
    cdef int *touched = shared + count
    cdef Edge *edge
    memset(last, -1, 2 * candidates.text.stems * sizeof(int))
    # Backwards, so that those that have a stem already stand after the candidate.
    for c in range(count - 1, -1, -1):
        others = 0
        o = candidates.first[c]
        for t in range(candidates.start[o], candidates.end[o]):
            s = candidates.text.stem[t]
            if seen[s] == c:
                continue
            seen[s] = c
            size[c] += 1
            at = last[s]
            while at >= 0:
                if shared[member[at].candidate] == 0:
                    touched[others] = member[at].candidate
                    others += 1
                shared[member[at].candidate] += 1
                at = member[at].earlier
            member[found] = Member(c, last[s])
            last[s] = found
            found += 1
        if edges.count + others > edges.room:
            edges.room = 2 * edges.room + others
            edge = <Edge *>realloc(edges.edge, edges.room * sizeof(Edge))
            if edge == NULL:
                return False
            edges.edge = edge
        for k in range(others):
            o = touched[k]
            edge = &edges.edge[edges.count]
            edge.end[0], edge.end[1] = c, o
            edge.following[0], edge.following[1] = clusters[c].head, clusters[o].head
            edge.total = shared[o] / <double>(size[c] + size[o] - shared[o])
            clusters[c].head = 2 * edges.count
            clusters[o].head = 2 * edges.count + 1
            shared[o] = 0
            edges.count += 1
    return True


cdef bint _link(Edges *edges, Cluster *clusters, int *parent, double least) noexcept nogil:
    """Merge clusters; in the end `parent` leads from each candidate to an earlier one of its cluster. Return whether
    memory sufficed."""
    cdef int *into = <int *>malloc(edges.count * sizeof(int) + 1)  # the edge that an edge has become a part of
    cdef Entry *heap = <Entry *>malloc(edges.count * sizeof(Entry) + 1)
    cdef bint made = into != NULL and heap != NULL
    if made:
        _merge_all(edges, clusters, parent, into, heap, least)
    free(into)
    free(heap)
    return made


cdef void _merge_all(
    Edges *edges, Cluster *clusters, int *parent, int *into, Entry *heap, double least
) noexcept nogil:
    cdef Py_ssize_t size = 0, e, i, j
    cdef int merges = 0
    cdef long long pair
    cdef double alike
    for e in range(edges.count):
        into[e] = e
        if edges.edge[e].total >= least:
            pair = (<long long>edges.edge[e].end[0] << 32) | edges.edge[e].end[1]
            heap[size] = Entry(edges.edge[e].total, pair, e)
            size += 1
    for e in range(size // 2 - 1, -1, -1):
        _sink(heap, size, e)
    # Merging never makes two clusters more alike than the likelier of their parts was, so an entry is an upper bound of
    # what its clusters have become, and stays with their present similarity when it comes up.
    while size:
        e = _root(into, heap[0].edge)
        i = _root(parent, edges.edge[e].end[0])
        j = _root(parent, edges.edge[e].end[1])
        if i > j:
            i, j = j, i
        pair = (<long long>i << 32) | j
        alike = edges.edge[e].total / (<double>clusters[i].size * clusters[j].size)
        if i != j and alike >= least and (alike < heap[0].alike or heap[0].pair != pair):
            heap[0].alike = alike
            heap[0].pair = pair
            _sink(heap, size, 0)
            continue
        size -= 1
        heap[0] = heap[size]
        _sink(heap, size, 0)
        if i != j and alike >= least:
            _merge(edges.edge, clusters, parent, into, merges, i, j)
            parent[j] = i  # the earlier cluster takes in the later one
            clusters[i].size += clusters[j].size
            merges += 1


cdef inline Py_ssize_t _root(int *parent, Py_ssize_t i) noexcept nogil:
    """Return the cluster that has taken in cluster `i`, or the edge that has taken in edge `i`."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


cdef inline bint _before(const Entry *a, const Entry *b) noexcept nogil:
    return a.alike > b.alike or (a.alike == b.alike and a.pair < b.pair)


cdef void _sink(Entry *heap, Py_ssize_t size, Py_ssize_t at) noexcept nogil:
    """Move entry `at` down to where it belongs."""
    cdef Py_ssize_t child = 2 * at + 1
    while child < size:
        if child + 1 < size and _before(&heap[child + 1], &heap[child]):
            child += 1
        if not _before(&heap[child], &heap[at]):
            return
        heap[at], heap[child] = heap[child], heap[at]
        at, child = child, 2 * child + 1


cdef void _merge(
    Edge *edge, Cluster *clusters, int *parent, int *into, int number, Py_ssize_t i, Py_ssize_t j
) noexcept nogil:
    """Give cluster `i` the edges of cluster `j`; those to the same other cluster become one."""
    cdef int kept = -1, entry, following, e
    cdef Py_ssize_t other, side
    for side in range(2):
        entry = clusters[j if side else i].head
        while entry >= 0:
            e = entry >> 1
            following = edge[e].following[entry & 1]
            if into[e] == e:
                other = _root(parent, edge[e].end[1 - (entry & 1)])
                if other != i and other != j:
                    if clusters[other].stamp == number:
                        edge[clusters[other].mark].total += edge[e].total
                        into[e] = clusters[other].mark
                    else:
                        clusters[other].stamp = number
                        clusters[other].mark = e
                        edge[e].following[entry & 1] = kept
                        kept = entry
            entry = following
    clusters[i].head = kept


# Walks.

cdef struct Place:
    int start
    int end
    int candidate


cdef class Topics:
    """Candidates, and the topic of each; topics are numbered by their first candidate.

    Two places of candidates of different topics are as near as one over the tokens from the end of the earlier to the
    start of the later. `matrix` has the sum of that over all pairs of places of two candidates.
    """

    cdef Occurrences candidates
    cdef readonly array topic
    cdef readonly Py_ssize_t count  # of topics
    cdef Py_ssize_t size  # of the matrix: candidates
    cdef array squares
    cdef array numbers
    cdef array columns
    cdef array ordered
    cdef const int *of  # the column of topics
    cdef double *matrix
    cdef double *over  # one over each distance, so that the inner loop has no division
    cdef Place *place  # by start, then end
    cdef int *slot

    def __init__(self, Occurrences candidates not None, array topic not None):
        self.candidates, self.topic, self.size = candidates, topic, candidates.count
        self.count = max(topic, default=-1) + 1
        self.of = topic.data.as_ints

    def firsts(self):
        """Return the candidate of each topic that occurs first."""
        cdef list found = []
        cdef Py_ssize_t c
        for c in range(self.size):
            if self.of[c] == len(found):
                found.append(c)
        return found

    def walk_over_topics(self, double damping, Py_ssize_t widest):
        """Return how often a walk visits each topic; places that start more than `widest` tokens apart do not count."""
        cdef array merged = clone(DOUBLES, self.count * self.count, True), ranks = clone(DOUBLES, 4 * self.count, True)
        cdef double *matrix = merged.data.as_doubles
        cdef double *rank = ranks.data.as_doubles
        self.make_room()
        state = released(self.candidates.text.count)
        self.fill(widest)
        self.merge(matrix)
        _walk(matrix, self.count, damping, rank)
        restored(state)
        resize(ranks, self.count)
        return ranks

    def walk_over_candidates(self, double alpha, double damping, Py_ssize_t widest):
        """Return how often a walk visits each candidate, where the first candidate of a topic is favoured by `alpha`."""
        cdef array others = clone(INTS, 3 * self.size, True), ranks = clone(DOUBLES, 4 * self.size, True)
        cdef int *other = others.data.as_ints
        cdef double *rank = ranks.data.as_doubles
        self.make_room()
        state = released(self.candidates.text.count)
        self.fill(widest)
        self.favour(alpha, other)
        _walk(self.matrix, self.size, damping, rank)
        restored(state)
        resize(ranks, self.size)
        return ranks

    cdef make_room(self):
        cdef Py_ssize_t tokens = self.candidates.text.count
        self.squares = clone(DOUBLES, self.size * self.size, True)
        self.columns = clone(DOUBLES, tokens + 2, False)
        self.ordered = clone(BYTES, self.candidates.start.shape[0] * sizeof(Place), True)
        self.numbers = clone(INTS, tokens + 2, True)
        self.matrix, self.over = self.squares.data.as_doubles, self.columns.data.as_doubles
        self.place, self.slot = <Place *>self.ordered.data.as_voidptr, self.numbers.data.as_ints

    cdef void fill(self, Py_ssize_t widest) noexcept nogil:
        """Fill the matrix."""
        cdef Py_ssize_t places = self.candidates.start.shape[0], stop = 0, a = 0
        cdef Place *place = self.place
        self.sort_places()
        for a in range(1, min(self.candidates.text.count, widest) + 2):
            self.over[a] = 1.0 / a
        a = 0
        while a < places:
            while stop < places and place[stop].start - place[a].start <= widest:
                stop += 1
            if a + 1 < places and place[a].candidate != place[a + 1].candidate and stop == places:
                self.add_two(a)
                a += 2
            else:
                self.add(a, a + 1, stop)
                a += 1
        self.mirror()

    cdef void sort_places(self) noexcept nogil:
        cdef const int *first = &self.candidates.first[0]
        cdef const int *start = &self.candidates.start[0]
        cdef const int *end = &self.candidates.end[0]
        cdef Py_ssize_t c, o, at
        cdef Place *place = self.place
        cdef int *slot = self.slot
        for o in range(first[self.size]):
            slot[start[o] + 1] += 1
        for at in range(self.candidates.text.count + 1):
            slot[at + 1] += slot[at]
        for c in range(self.size):
            for o in range(first[c], first[c + 1]):
                at = slot[start[o]]
                slot[start[o]] += 1
                while at > 0 and place[at - 1].start == start[o] and place[at - 1].end > end[o]:
                    place[at] = place[at - 1]
                    at -= 1
                place[at] = Place(start[o], end[o], c)

    cdef void add(self, Py_ssize_t a, Py_ssize_t after, Py_ssize_t stop) noexcept nogil:
        """Add what place `a` has with the places from `after` to `stop`."""
        cdef double *row = self.matrix + self.place[a].candidate * self.size
        cdef const double *over = self.over - (self.place[a].end - 1)
        cdef const Place *place = self.place
        cdef Py_ssize_t b = after
        while b < stop and place[b].start < place[a].end:  # places that overlap count as neighbours
            row[place[b].candidate] += 1.0
            b += 1
        while b < stop:
            row[place[b].candidate] += over[place[b].start]
            b += 1

    cdef void add_two(self, Py_ssize_t a) noexcept nogil:
        """Add what places `a` and `a + 1`, of different candidates, have with all after them; in one pass, which is
        faster than two."""
        cdef const Place *place = self.place
        cdef double *row = self.matrix + place[a].candidate * self.size
        cdef double *next_row = self.matrix + place[a + 1].candidate * self.size
        cdef const double *over = self.over - (place[a].end - 1)
        cdef const double *next_over = self.over - (place[a + 1].end - 1)
        cdef Py_ssize_t places = self.candidates.start.shape[0], apart = a + 2, b
        while apart < places and place[apart].start < max(place[a].end, place[a + 1].end):
            apart += 1
        self.add(a, a + 1, apart)
        self.add(a + 1, a + 2, apart)
        for b in range(apart, places):
            row[place[b].candidate] += over[place[b].start]
            next_row[place[b].candidate] += next_over[place[b].start]

    cdef void mirror(self) noexcept nogil:
        """Add the two halves of the matrix, each to the other; candidates of one topic get nothing.

        By blocks of 32 rows and columns, which a cache holds: along whole columns nearly every step would miss it.
        """
        cdef double *out = self.matrix
        cdef Py_ssize_t count = self.size, i, j, a, b
        cdef double both
        for i in range(0, count, 32):
            for j in range(i, count, 32):
                for a in range(i, min(i + 32, count)):
                    for b in range(max(j, a), min(j + 32, count)):
                        both = 0.0
                        if self.of[a] != self.of[b]:
                            both = out[a * count + b] + out[b * count + a]
                        out[a * count + b] = out[b * count + a] = both

    cdef void merge(self, double *out) noexcept nogil:
        """Add up the matrix over the candidates of each topic."""
        cdef Py_ssize_t a, b
        for a in range(self.size):
            for b in range(self.size):
                out[self.of[a] * self.count + self.of[b]] += self.matrix[a * self.size + b]

    cdef void favour(self, double alpha, int *room) noexcept nogil:
        """Turn the matrix into weights, w[i, j] for the edge from i to j: into the first candidate of a topic goes
        also, times alpha * exp(1 / (1 + position of i)), what binds i to the topic's other candidates (Boudin, 2018).

        In place, since the matrix is too large for a cache: it is symmetric, so what binds i to k is read along row i;
        and no row reads what it writes.
        """
        cdef int *first_of = room  # one more than the first candidate of a topic
        cdef int *other = room + self.size
        cdef int *target = other + self.size
        cdef Py_ssize_t others = 0, i, k
        cdef double position, factor
        cdef double *row = self.matrix
        for k in range(self.size):
            if first_of[self.of[k]] == 0:
                first_of[self.of[k]] = k + 1
            else:
                other[others] = k
                target[others] = first_of[self.of[k]] - 1
                others += 1
        for i in range(self.size):
            position = self.candidates.start[self.candidates.first[i]]
            factor = alpha * exp(1.0 / (1.0 + position))
            for k in range(others):
                row[target[k]] += factor * row[other[k]]
            row += self.size


cdef void _walk(const double *matrix, Py_ssize_t count, double damping, double *rank) noexcept nogil:
    """Fill `rank` with the stationary distribution of a walk from i to j in proportion to `matrix[i, j]`, with even
    jumps. There is room for three more columns of zeros behind it."""
    cdef double *total = rank + count
    cdef double *share = total + count
    cdef double *following = share + count
    cdef Py_ssize_t r, i, j
    cdef double base, change, value
    for i in range(count):
        rank[i] = 1.0 / count
        share[i] = 1.0
    products(matrix, count, count, share, total)
    for r in range(MOST_ROUNDS):
        base = 1.0 - damping
        for i in range(count):
            following[i] = 0.0
            share[i] = damping * rank[i] / total[i] if total[i] > 0.0 else 0.0
            if total[i] <= 0.0:
                base += damping * rank[i]
        _add_shares(matrix, count, share, following)
        change = 0.0
        for j in range(count):
            value = base / count + following[j]
            change += fabs(value - rank[j])
            rank[j] = value
        if change < TOLERANCE:
            return


cdef void _add_shares(const double *matrix, Py_ssize_t count, const double *share, double *out) noexcept nogil:
    """Add the rows of a square matrix, times the share of each, to `out`, in their order; four in one pass over it."""
    cdef Py_ssize_t k, j
    cdef double a, b, c, d, value
    for k in range(0, count - 3, 4):
        a, b, c, d = share[k], share[k + 1], share[k + 2], share[k + 3]
        for j in range(count):
            value = out[j] + a * matrix[j] + b * matrix[count + j]
            out[j] = value + c * matrix[2 * count + j] + d * matrix[3 * count + j]
        matrix += 4 * count
    for k in range(count - count % 4, count):
        for j in range(count):
            out[j] += share[k] * matrix[j]
        matrix += count
