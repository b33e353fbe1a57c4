"""The features of candidates for the learned method: one row of numbers each.

Three passes fill the rows of some candidates at a time: `places` from the occurrences, `words` from the words,
`containment` from longer and shorter candidates. A feature is a column; methods/learned/evidence.py explains each.
"""

from cpython.array cimport array, clone, resize_smart
from libc.math cimport log, sqrt
from libc.string cimport memcpy

from phrasemill.kernels.hashing cimport find_all, mixed, place_of, slot_of
from phrasemill.kernels.shapes cimport DETERMINER, CARDINAL, LAST_LEFT, LAST_RIGHT, NAME, OF, PARTICIPLE, PREPOSITION, VERB
from phrasemill.kernels.text cimport CAPITAL, STOPWORD, UPPER as ALL_UPPER, WORD, Occurrences, Text, at, released, restored

# The columns of a row; methods/learned/background.py has their names for Python.
cpdef enum:
    COUNT, RATE, IDF, TFIDF, TFIDF_SHARE, WORDS, CHARACTERS, FIRST, FIRST_SHARE, LAST_SHARE, SPREAD, FIRST_SENTENCE
    IN_TITLE, TITLE_OVERLAP, IN_OPENING, IN_HEADINGS, SHAPE, WHOLE, EXTENDED_LEFT, EXTENDED_RIGHT, LONGER_SHARE
    LONGER_KINDS, LONGER_CHOSEN, PARTS_CHOSEN, PARTS_SHARE, HEAD_SHARE, WORD_COUNT, WORD_COUNT_SUM, EARLY_WEIGHT
    HEAD_COUNT, WORD_IDF_LEAST, WORD_IDF_MOST, WORD_IDF_MEAN, HEAD_IDF, CHOSEN, CHOSEN_RATE, HEAD_RATE, FIRST_RATE
    WORD_RATE, WORD_RATE_LEAST, CAPITALS, UPPER, DIGITS, HYPHENS, BRACKETED, DEFINED, DETERMINED, CLOSED, FIRST_CLASS
    LAST_CLASS, CLASS_BEFORE, CLASS_AFTER, COHESION, THEME, THEME_LEAST, DOCUMENT_WORDS, DOCUMENT_CANDIDATES
    DOCUMENT_TITLE, TABLES, RARE_LEAST, RARE_MOST, RARE_MEAN, RARE_HEAD, KEYNESS, KEYNESS_LEAST, NAMED, BEFORE_VERB
    AFTER_PREPOSITION, STARTS_SENTENCE, DOCUMENT_NAMES, DOCUMENT_VERBS, DOCUMENT_NUMBERS, DOCUMENT_SENTENCES, LISTED
    WIDTH  # their number

# What `Known` has of a word.
cdef enum: RARITY, SHARE, RATE_ANYWHERE, RATE_LAST, RATE_FIRST, EVERYDAY_RARITY, STATISTICS

cdef enum:
    LONGEST = 5  # tokens of a candidate by shape; callers may ask for longer ones
    EARLY = 10  # a word at place i weighs 1 / (i + EARLY), as in PositionRank
    OPENING_TOKENS = 250  # about an abstract
    LAST_SENTENCE = 100  # beyond it all sentences are alike
    COUNTED = 1000  # the logarithms of counts up to this are made once
    CODES = 256  # of counts in tables
    AHEAD = 2048  # phrases whose places are touched before the first of them is looked at
cdef double UNHEARD = 20.0  # the everyday rarity of words that the language's list does not have

cdef array BYTES = array("B"), INTS = array("i"), ULONGS = array("Q"), FLOATS = array("f"), DOUBLES = array("d")


cdef class Known:
    """The tables of other texts, and the words of theirs that were met so far, numbered from 1 on: their statistics and
    vectors. Words that no table has are all number 0, so that odd ones take no room.

    Belongs to one extraction at a time (methods/learned/background.py).
    """

    cdef readonly double documents
    cdef readonly bint listed  # whether there is a list of everyday words
    cdef Py_ssize_t dimensions
    cdef const float[::1] decoded  # what each code of a count stands for
    cdef double[CODES] rarity_of  # how rare a phrase is by the code of its number of documents
    # Tables: fingerprints and, at the same places, codes.
    cdef const unsigned int[::1] phrases, words, everyday, vectors
    cdef const unsigned char[::1] phrase_df, phrase_chosen
    cdef const unsigned char[::1] df, chosen, head, first
    cdef const unsigned char[::1] everyday_rarity
    cdef double everyday_scale
    cdef const signed char[::1] coordinates
    # Words by hash, and what is known of them by number.
    cdef array keys, numbers
    cdef Py_ssize_t count
    cdef array statistics, coordinates_of

    def __init__(self, background, everyday, const float[::1] decoded, double scale):
        cdef Py_ssize_t i
        phrases, words = background.phrases, background.words
        self.documents, self.decoded = background.documents, decoded
        self.phrases, self.phrase_df, self.phrase_chosen = (
            phrases.fingerprints, phrases.columns["df"], phrases.columns["chosen"]
        )
        self.words = words.fingerprints
        self.df, self.chosen, self.head, self.first = [words.columns[one] for one in ("df", "chosen", "head", "first")]
        self.vectors, self.coordinates = background.vectors.fingerprints, background.vectors.numbers
        self.dimensions = background.vectors.dimensions
        self.everyday, self.everyday_rarity, self.everyday_scale = everyday.fingerprints, everyday.rarity, scale
        self.listed = len(self.everyday) > 0
        for i in range(CODES):
            self.rarity_of[i] = self.rarity(decoded[i]) if self.documents > 0 else 0.0
        self.keys, self.numbers = clone(ULONGS, 1024, True), clone(INTS, 1024, True)
        self.statistics, self.coordinates_of = array("d"), array("f")
        self.add(-1, -1, -1)

    def __len__(self):
        return self.count

    cdef double rarity(self, double df):
        return log(self.documents + 1) - log(max(df, 0.5) + 1)

    cdef double rate(self, double chosen, double df):
        """Return how often a word was chosen where it occurs, as a logarithm, lower for rare ones."""
        return log((max(chosen, 0.0) + 0.5) / (max(df, 0.0) + 5))

    cdef add(self, Py_ssize_t place, Py_ssize_t listed, Py_ssize_t vector):
        """Add what the tables have at these places, -1 for none, to what is known."""
        cdef Py_ssize_t rows = len(self.statistics) // STATISTICS, j
        cdef double df = self.decoded[self.df[place]] if place >= 0 else -1.0
        resize_smart(self.statistics, (rows + 1) * STATISTICS)
        resize_smart(self.coordinates_of, (rows + 1) * self.dimensions)
        cdef double *out = self.statistics.data.as_doubles + rows * STATISTICS
        cdef float *coordinates = self.coordinates_of.data.as_floats + rows * self.dimensions
        out[RARITY] = out[SHARE] = out[RATE_ANYWHERE] = out[RATE_LAST] = out[RATE_FIRST] = 0.0
        if self.documents > 0:
            out[RARITY] = self.rarity(df)
            out[SHARE] = log((max(df, 0.0) + 1) / (self.documents + 1))
            out[RATE_ANYWHERE] = self.rate(self.decoded[self.chosen[place]] if place >= 0 else -1.0, df)
            out[RATE_LAST] = self.rate(self.decoded[self.head[place]] if place >= 0 else -1.0, df)
            out[RATE_FIRST] = self.rate(self.decoded[self.first[place]] if place >= 0 else -1.0, df)
        out[EVERYDAY_RARITY] = self.everyday_rarity[listed] / self.everyday_scale if listed >= 0 else UNHEARD
        for j in range(self.dimensions):
            coordinates[j] = self.coordinates[vector * self.dimensions + j] / 127.0 if vector >= 0 else 0.0

    cdef inline Py_ssize_t slot(self, unsigned long long key) noexcept:
        """Return where a hash is, or would be."""
        cdef unsigned long long last = len(self.keys) - 1
        cdef unsigned long long slot = (key ^ (key >> 32)) & last
        while self.numbers.data.as_ints[slot] != 0 and self.keys.data.as_ulonglongs[slot] != key:
            slot = (slot + 1) & last
        return slot

    cdef number(self, const unsigned long long[::1] hashes, int *out):
        """Find the number of each word, and look up those that were not met before."""
        cdef array missing = clone(ULONGS, len(hashes), False)
        cdef Py_ssize_t i, lacking = 0
        for i in range(len(hashes)):
            out[i] = self.numbers.data.as_ints[self.slot(hashes[i])]
            if out[i] == 0:
                missing.data.as_ulonglongs[lacking] = hashes[i]
                lacking += 1
        if lacking == 0:
            return
        del missing[lacking:]
        cdef array places = clone(INTS, lacking, False), listed = clone(INTS, lacking, False)
        cdef array vectors = clone(INTS, lacking, False)
        find_all(missing, self.words, places.data.as_ints)
        find_all(missing, self.everyday, listed.data.as_ints)
        find_all(missing, self.vectors, vectors.data.as_ints)
        lacking = 0
        for i in range(len(hashes)):
            if out[i] == 0:
                out[i] = self.added(
                    hashes[i], places.data.as_ints[lacking], listed.data.as_ints[lacking], vectors.data.as_ints[lacking]
                )
                lacking += 1

    cdef int added(self, unsigned long long key, int place, int listed, int vector) except -1:
        """Return the number of a word: a new one unless no table has it."""
        if place < 0 and listed < 0 and vector < 0:
            return 0
        cdef Py_ssize_t slot = self.slot(key), i
        cdef array keys = self.keys, numbers = self.numbers
        if numbers.data.as_ints[slot] == 0:
            if 2 * self.count >= len(keys):
                self.keys, self.numbers = clone(ULONGS, 2 * len(keys), True), clone(INTS, 2 * len(keys), True)
                for i in range(len(keys)):
                    if numbers.data.as_ints[i] != 0:
                        slot = self.slot(keys.data.as_ulonglongs[i])
                        self.keys.data.as_ulonglongs[slot] = keys.data.as_ulonglongs[i]
                        self.numbers.data.as_ints[slot] = numbers.data.as_ints[i]
                slot = self.slot(key)
            self.add(place, listed, vector)
            self.count += 1
            self.keys.data.as_ulonglongs[slot] = key
            self.numbers.data.as_ints[slot] = self.count
        return self.numbers.data.as_ints[slot]


cdef struct Longer:
    # The candidates that contain one: how many there are, and the highest count and code of choices among them.
    Py_ssize_t kinds, most
    int chosen


cdef class Rows:
    """The features of the candidates of a text. Rows are made when they are asked for: a long text has millions.

    Rows are zeros for what stands in the list of references only.
    """

    cdef Text text
    cdef Occurrences phrases
    cdef list memory  # what the pointers point to
    cdef const unsigned char[::1] shape, known_shapes
    cdef const float[::1] odds
    cdef double documents
    cdef bint listed
    cdef const float[::1] decoded
    cdef double[CODES] rarity_of
    # By stem.
    cdef int *word_count
    cdef double *early  # the sum of the weights of its places
    cdef unsigned char *in_title  # and no stopword
    cdef double *closeness  # to the theme of the text
    cdef int *row_of  # where its statistics are
    cdef double *statistics
    # By count, up to COUNTED.
    cdef double *log_counts
    cdef double *log_rates
    cdef int counted
    # By candidate: codes of how many documents it is in, and of how often people chose it.
    cdef unsigned char *df
    cdef unsigned char *chosen
    cdef double most  # the highest count of a candidate, times its rarity
    # By first token and length up to LONGEST: one more than the candidate that stands there, 0 for none; by first
    # token: bits for the lengths of those that stand there for the first time; and candidates that are longer.
    cdef int *of_run
    cdef unsigned char *new
    cdef array longer
    cdef Py_ssize_t many  # of these
    cdef float[WIDTH] same  # the columns that are the same for all candidates

    def __init__(self, Occurrences phrases, const unsigned char[::1] classes, shapes, Known known):
        cdef Text text = phrases.text
        self.text, self.phrases, self.shape, self.memory = text, phrases, classes, []
        self.odds, self.known_shapes = shapes.odds, shapes.known
        self.documents, self.listed, self.decoded = known.documents, known.listed, known.decoded
        memcpy(self.rarity_of, known.rarity_of, sizeof(self.rarity_of))
        # Hashes are freed before there are more columns: a text may have a million words.
        cdef unsigned long long[::1] hashes = text.hash_stems()
        cdef array keys = clone(ULONGS, min(phrases.count, AHEAD), False)
        self.row_of = self.ints(text.stems)
        known.number(hashes, self.row_of)
        text.lay_out()
        self.df, self.chosen = self.bytes(phrases.count), self.bytes(phrases.count)
        state = released(text.count)
        self.look_up(hashes, keys.data.as_ulonglongs, known)
        restored(state)
        hashes = None
        self.count_words()
        self.find_theme(known)
        self.gather(known)
        self.of_run, self.new, self.longer = self.ints(text.count * LONGEST), self.bytes(text.count), array("i")
        state = released(text.count)
        self.find_runs()
        self.document()
        restored(state)
        for c in range(phrases.count):
            if phrases.end[phrases.first[c]] - phrases.start[phrases.first[c]] > LONGEST:
                self.longer.append(c)
        self.many = len(self.longer)

    def __len__(self):
        return self.phrases.count

    def some(self, Py_ssize_t begin, Py_ssize_t end):
        """Return the rows of the candidates `begin` to `end` (exclusive), one after the other."""
        cdef array rows = clone(FLOATS, WIDTH * (end - begin), True), occurs = clone(INTS, end - begin, True)
        state = released(self.text.count)
        self.fill(begin, end, occurs.data.as_ints, rows.data.as_floats)
        restored(state)
        return rows

    cdef void fill(self, Py_ssize_t begin, Py_ssize_t end, int *occurs, float *rows) noexcept nogil:
        cdef Py_ssize_t c
        for c in range(begin, end):
            self.places(c, occurs + c - begin, rows + (c - begin) * WIDTH)
        for c in range(begin, end):
            if occurs[c - begin] > 0:
                self.words(c, occurs[c - begin], rows + (c - begin) * WIDTH)
                self.containment(c, occurs[c - begin], rows + (c - begin) * WIDTH)

    cdef int *ints(self, Py_ssize_t size):
        cdef array made = clone(INTS, size, True)
        self.memory.append(made)
        return made.data.as_ints

    cdef double *doubles(self, Py_ssize_t size):
        cdef array made = clone(DOUBLES, size, True)
        self.memory.append(made)
        return made.data.as_doubles

    cdef unsigned char *bytes(self, Py_ssize_t size):
        cdef array made = clone(BYTES, size, True)
        self.memory.append(made)
        return made.data.as_uchars

    cdef count_words(self):
        """Fill `word_count`, `early`, `in_title`, and the logarithms of most counts."""
        cdef Py_ssize_t i, most = 0
        cdef int s
        self.word_count, self.early = self.ints(self.text.stems), self.doubles(self.text.stems)
        self.in_title = self.bytes(self.text.stems)
        for i in range(self.text.body):
            s = self.text.stem[i]
            self.word_count[s] += 1
            self.early[s] += 1.0 / (i + EARLY)
            if i < self.text.title and not self.text.kind[i] & STOPWORD:
                self.in_title[s] = 1
        for i in range(self.text.stems):
            most = max(most, self.word_count[i])
        self.counted = min(most, COUNTED) + 1
        self.log_counts, self.log_rates = self.doubles(self.counted), self.doubles(self.counted)
        for i in range(self.counted):
            self.log_counts[i] = log(1 + i)
            self.log_rates[i] = log((i + 0.1) / self.text.body)

    cdef inline double log_count(self, int count) noexcept nogil:
        return self.log_counts[count] if count < self.counted else log(1 + count)

    cdef inline double log_rate(self, int count) noexcept nogil:
        return self.log_rates[count] if count < self.counted else log((count + 0.1) / self.text.body)

    cdef find_theme(self, Known known):
        """Fill `closeness`: of each word to the mean vector of all words, by rarity and the root of counts."""
        cdef Py_ssize_t s, j, size = known.dimensions, stems = self.text.stems
        cdef double norm = 0.0, weight, near, near_a, near_b, near_c, near_d
        cdef double *theme = self.doubles(max(size, 1))
        self.closeness = self.doubles(stems)
        cdef const double *statistics = known.statistics.data.as_doubles
        cdef const float *vectors = known.coordinates_of.data.as_floats
        cdef const float *a
        cdef const float *b
        cdef const float *c
        cdef const float *d
        for s in range(stems):
            if self.word_count[s] > 0:
                weight = statistics[self.row_of[s] * STATISTICS + RARITY] * sqrt(self.word_count[s])
                a = vectors + self.row_of[s] * size
                for j in range(size):
                    theme[j] += weight * a[j]
        for j in range(size):
            norm += theme[j] * theme[j]
        if norm > 0:
            norm = sqrt(norm)
            for j in range(size):
                theme[j] /= norm
        # Four words side by side: each sum waits for the one before it, and the waits overlap.
        s = 0
        while s + 4 <= stems:
            a, b = vectors + self.row_of[s] * size, vectors + self.row_of[s + 1] * size
            c, d = vectors + self.row_of[s + 2] * size, vectors + self.row_of[s + 3] * size
            near_a = near_b = near_c = near_d = 0.0
            for j in range(size):
                near_a += theme[j] * a[j]
                near_b += theme[j] * b[j]
                near_c += theme[j] * c[j]
                near_d += theme[j] * d[j]
            self.closeness[s], self.closeness[s + 1] = near_a, near_b
            self.closeness[s + 2], self.closeness[s + 3] = near_c, near_d
            s += 4
        while s < stems:
            near = 0.0
            a = vectors + self.row_of[s] * size
            for j in range(size):
                near += theme[j] * a[j]
            self.closeness[s] = near
            s += 1

    cdef gather(self, Known known):
        """Copy the statistics of the words, which grow while others read; the row of unknown ones is the first."""
        cdef Py_ssize_t s, rows = 1
        for s in range(self.text.stems):
            rows += self.row_of[s] != 0
        self.statistics = self.doubles(rows * STATISTICS)
        cdef const double *every = known.statistics.data.as_doubles
        memcpy(self.statistics, every, STATISTICS * sizeof(double))
        rows = 1
        for s in range(self.text.stems):
            if self.row_of[s] != 0:
                memcpy(
                    self.statistics + rows * STATISTICS,
                    every + self.row_of[s] * STATISTICS,
                    STATISTICS * sizeof(double),
                )
                self.row_of[s] = rows
                rows += 1

    cdef void look_up(self, unsigned long long[::1] hashes, unsigned long long *keys, Known known) noexcept nogil:
        """Fill `df` and `chosen` from the table of phrases, and `most`."""
        cdef Py_ssize_t c, i, begin, stop = 0, place, size = len(known.phrases)
        cdef unsigned int touched = 0
        while stop < self.phrases.count and size > 0:
            begin, stop = stop, min(stop + AHEAD, self.phrases.count)
            for c in range(begin, stop):
                keys[c - begin] = 0
                for i in range(self.phrases.start[self.phrases.first[c]], self.phrases.end[self.phrases.first[c]]):
                    keys[c - begin] = mixed(keys[c - begin], hashes[self.text.stem[i]])
                # Every place is touched before any is looked at, so that the waits for memory overlap.
                touched |= known.phrases[slot_of(keys[c - begin], size)]
            for c in range(begin, stop if touched else begin):  # else all of these places are free
                place = place_of(keys[c - begin], known.phrases)
                if place >= 0:
                    self.df[c], self.chosen[c] = known.phrase_df[place], known.phrase_chosen[place]
        for c in range(self.phrases.count):
            self.most = max(self.most, self.times(c) * (self.rarity_of[self.df[c]] if self.documents > 0 else 1.0))

    cdef inline Py_ssize_t times(self, Py_ssize_t c) noexcept nogil:
        """Return how often a candidate stands in the body."""
        cdef Py_ssize_t last = self.phrases.first[c + 1]
        while last > self.phrases.first[c] and self.phrases.end[last - 1] > self.text.body:
            last -= 1
        return last - self.phrases.first[c]

    cdef void find_runs(self) noexcept nogil:
        """Fill `of_run` and `new`."""
        cdef Py_ssize_t c, o, a, n
        for c in range(self.phrases.count):
            for o in range(self.phrases.first[c], self.phrases.first[c + 1]):
                a, n = self.phrases.start[o], self.phrases.end[o] - self.phrases.start[o]
                if n <= LONGEST:
                    self.of_run[a * LONGEST + n - 1] = c + 1
                    if o == self.phrases.first[c]:
                        self.new[a] |= 1 << (n - 1)

    cdef void document(self) noexcept nogil:
        """Fill `same`: lengths, shares of names, verbs and numbers, and which tables there are."""
        cdef int names = 0, verbs = 0, numbers = 0
        cdef Py_ssize_t i
        cdef double tokens = max(self.text.body, 1)
        for i in range(self.text.body):
            names += self.shape[i] == NAME
            verbs += self.shape[i] == VERB
            numbers += self.shape[i] == CARDINAL
        self.same[DOCUMENT_WORDS] = log(1 + self.text.body)
        self.same[DOCUMENT_CANDIDATES] = log(1 + self.phrases.count)
        self.same[DOCUMENT_TITLE] = self.text.title
        self.same[TABLES] = self.documents > 0
        self.same[DOCUMENT_NAMES] = names / tokens
        self.same[DOCUMENT_VERBS] = verbs / tokens
        self.same[DOCUMENT_NUMBERS] = numbers / tokens
        self.same[DOCUMENT_SENTENCES] = self.text.count / <double>max(len(self.text.sentences), 1)
        self.same[LISTED] = self.listed

    cdef void places(self, Py_ssize_t c, int *occurs, float *out) noexcept nogil:
        """Fill the columns of where a candidate stands, and among what, and how often it `occurs`; what stands in the
        list of references does not count."""
        cdef Py_ssize_t a, b, i, o, began = -1, ended = 0
        cdef int code, titled = 0, opening = 0, headings = 0
        cdef bint left, right
        cdef double odds = -100.0, times = 0.0, whole = 0.0, lefts = 0.0, rights = 0.0, capitals = 0.0, uppers = 0.0
        cdef double bracketed = 0.0, defined = 0.0, determined = 0.0, closed = 0.0, named = 0.0, acting = 0.0
        cdef double governed = 0.0, starting = 0.0
        for o in range(self.phrases.first[c], self.phrases.first[c + 1]):
            a, b = self.phrases.start[o], self.phrases.end[o]
            if b > self.text.body:
                break
            times += 1
            if began < 0:
                began = a
            ended = a
            code = 0
            if b - a <= LONGEST:
                for i in range(a, b):
                    code = code * 16 + self.shape[i]
            odds = max(odds, self.odds[self.known_shapes[code]])
            left = right = False
            if a > 0 and self.text.sentence[a - 1] == self.text.sentence[a]:
                left = 1 <= self.shape[a - 1] <= LAST_LEFT and not self.text.kind[a - 1] & STOPWORD
                determined += self.shape[a - 1] == DETERMINER
                governed += self.shape[a - 1] == PREPOSITION or self.shape[a - 1] == OF
            else:
                starting += 1
            if b < self.text.count and self.text.sentence[b] == self.text.sentence[a]:
                right = 1 <= self.shape[b] <= LAST_RIGHT and not self.text.kind[b] & STOPWORD
                acting += self.shape[b] == VERB or self.shape[b] == PARTICIPLE
            lefts += left
            rights += right
            whole += not left and not right
            capitals += self.text.kind[a] & CAPITAL != 0 and (a == 0 or self.text.sentence[a - 1] == self.text.sentence[a])
            uppers += self.text.kind[b - 1] & ALL_UPPER != 0
            named += self.shape[a] == NAME and self.shape[b - 1] == NAME
            if a > 0 and b < self.text.count and self.mark(a - 1) == "(" and self.mark(b) == ")":
                bracketed += 1
            elif b + 1 < self.text.count and self.mark(b) == "(" and self.text.kind[b + 1] & ALL_UPPER:
                defined += 1
            closed += b >= self.text.count or self.text.sentence[b] != self.text.sentence[a] or not self.text.kind[b] & WORD
            if a < self.text.title:
                titled += 1
            elif self.text.heading[self.text.line[a]]:
                headings += 1
            opening += a < OPENING_TOKENS
        if began < 0:
            return
        occurs[0] = <int>times
        o = self.phrases.first[c]
        a, b = self.phrases.start[o], self.phrases.end[o]
        memcpy(out, self.same, sizeof(self.same))
        out[COUNT] = log(1 + times)
        out[RATE] = log(1 + 1000.0 * times / self.text.body)
        out[FIRST] = log(1 + began)
        out[FIRST_SHARE] = began / <double>self.text.body
        out[LAST_SHARE] = ended / <double>self.text.body
        out[SPREAD] = (ended - began) / <double>self.text.body
        out[FIRST_SENTENCE] = min(self.text.sentence[began], LAST_SENTENCE)
        out[IN_TITLE] = titled
        out[IN_OPENING] = log(1 + opening)
        out[IN_HEADINGS] = log(1 + headings)
        out[SHAPE] = odds
        out[WHOLE] = whole / times
        out[EXTENDED_LEFT] = lefts / times
        out[EXTENDED_RIGHT] = rights / times
        out[CAPITALS] = capitals / times
        out[UPPER] = uppers / times
        out[BRACKETED] = bracketed / times
        out[DEFINED] = defined / times
        out[DETERMINED] = determined / times
        out[CLOSED] = closed / times
        out[NAMED] = named / times
        out[BEFORE_VERB] = acting / times
        out[AFTER_PREPOSITION] = governed / times
        out[STARTS_SENTENCE] = starting / times
        out[FIRST_CLASS] = self.shape[a]
        out[LAST_CLASS] = self.shape[b - 1]
        out[CLASS_BEFORE] = self.neighbour(began - 1, began)
        out[CLASS_AFTER] = self.neighbour(began + b - a, began)

    cdef inline Py_UCS4 mark(self, Py_ssize_t i) noexcept nogil:
        """Return the first character of a token."""
        return at(self.text.letters, self.text.start[i])

    cdef double neighbour(self, Py_ssize_t i, Py_ssize_t inside) noexcept nogil:
        """Return the class of a token; below 0 for marks, and beyond the sentence of the token `inside`."""
        cdef Py_UCS4 mark
        if i < 0 or i >= self.text.count or self.text.sentence[i] != self.text.sentence[inside]:
            return -5.0
        if self.text.kind[i] & WORD:
            return self.shape[i]
        mark = self.mark(i)
        if mark == ",":
            return -1.0
        if mark == "(" or mark == "[":
            return -2.0
        if mark == ")" or mark == "]":
            return -3.0
        return -4.0

    cdef void words(self, Py_ssize_t c, int times, float *out) noexcept nogil:
        """Fill the columns that depend on the words of a candidate, and on the tables of other texts."""
        cdef Py_ssize_t a = self.phrases.start[self.phrases.first[c]], b = self.phrases.end[self.phrases.first[c]]
        cdef Py_ssize_t i, j, characters = b - a - 1
        cdef int s, content = 0, overlap = 0, fewest = 1 << 30
        cdef bint digits = False, hyphens = False, known = self.documents > 0
        cdef Py_UCS4 character
        cdef const double *of
        cdef double key, idf, tfidf, df, chosen
        cdef double rarest = 0.0, rarity_sum = 0.0, summed = 0.0, earliness = 0.0, near = 0.0, rates = 0.0
        cdef double together = 0.0, rare_most = 0.0, rare_sum = 0.0, keyness = 0.0
        cdef double commonest = 100.0, least_near = 100.0, least_rate = 100.0, rare_least = 100.0, least_key = 100.0
        for i in range(a, b):
            s = self.text.stem[i]
            characters += self.text.end[i] - self.text.start[i]
            for j in range(self.text.start[i], self.text.end[i]):
                character = at(self.text.letters, j)
                if "0" <= character <= "9":
                    digits = True
                elif character == "-" or character == "/":
                    hyphens = True
            if self.text.kind[i] & STOPWORD and b - a > 1:
                continue
            content += 1
            overlap += self.in_title[s]
            fewest = min(fewest, self.word_count[s])
            summed += self.log_count(self.word_count[s])
            earliness += self.early[s]
            of = self.statistics + self.row_of[s] * STATISTICS
            commonest = min(commonest, of[RARITY])
            rarest = max(rarest, of[RARITY])
            rarity_sum += of[RARITY]
            if self.listed:
                rare_least = min(rare_least, of[EVERYDAY_RARITY])
                rare_most = max(rare_most, of[EVERYDAY_RARITY])
                rare_sum += of[EVERYDAY_RARITY]
                key = self.log_rate(self.word_count[s]) + of[EVERYDAY_RARITY]
                keyness += key
                least_key = min(least_key, key)
            near += self.closeness[s]
            least_near = min(least_near, self.closeness[s])
            if known:
                rates += of[RATE_ANYWHERE]
                least_rate = min(least_rate, of[RATE_ANYWHERE])
                together += of[SHARE]
        if content == 0:
            content = fewest = 1
            commonest = least_near = rare_least = least_key = 0.0
        s = self.text.stem[b - 1]
        of = self.statistics + self.row_of[s] * STATISTICS
        idf = self.rarity_of[self.df[c]]
        tfidf = times * (idf if known else 1.0)
        df, chosen = self.decoded[self.df[c]], self.decoded[self.chosen[c]]
        out[IDF] = idf
        out[TFIDF] = log(1 + tfidf)
        out[TFIDF_SHARE] = tfidf
        if self.most > 0:
            out[TFIDF_SHARE] /= self.most
        out[WORDS] = b - a
        out[CHARACTERS] = characters
        out[DIGITS] = digits
        out[HYPHENS] = hyphens
        out[TITLE_OVERLAP] = overlap / <double>content
        out[PARTS_SHARE] = times / <double>max(fewest, 1)
        out[HEAD_SHARE] = times / <double>max(self.word_count[s], 1)
        out[WORD_COUNT] = summed / content
        out[WORD_COUNT_SUM] = summed
        out[HEAD_COUNT] = self.log_count(self.word_count[s])
        out[EARLY_WEIGHT] = log(earliness + 0.001)
        out[WORD_IDF_LEAST] = commonest
        out[WORD_IDF_MOST] = rarest
        out[WORD_IDF_MEAN] = rarity_sum / content
        out[HEAD_IDF] = of[RARITY]
        out[THEME] = near / content
        out[THEME_LEAST] = least_near
        if self.listed:
            out[RARE_LEAST] = rare_least
            out[RARE_MOST] = rare_most
            out[RARE_MEAN] = rare_sum / content
            out[RARE_HEAD] = of[EVERYDAY_RARITY]
            out[KEYNESS] = keyness / content
            out[KEYNESS_LEAST] = least_key
        if known:
            out[CHOSEN] = log(1 + chosen)
            out[CHOSEN_RATE] = log((chosen + 0.1) / (df + 1.0))
            out[HEAD_RATE] = of[RATE_LAST]
            out[FIRST_RATE] = self.statistics[self.row_of[self.text.stem[a]] * STATISTICS + RATE_FIRST]
            out[WORD_RATE] = rates / content
            out[WORD_RATE_LEAST] = least_rate if rates != 0 else 0.0
            if content > 1:
                out[COHESION] = log(max(df, 0.5) / (self.documents + 1)) - together

    cdef void containment(self, Py_ssize_t c, int times, float *out) noexcept nogil:
        """Fill the columns of longer and shorter candidates: how frequent they are, and how often chosen elsewhere. A
        phrase is part of those at whose first occurrence it stands."""
        cdef Py_ssize_t a = self.phrases.start[self.phrases.first[c]]
        cdef Py_ssize_t n = self.phrases.end[self.phrases.first[c]] - a
        cdef Py_ssize_t i, m, o, other
        cdef int best = 0
        cdef Longer longer = Longer(0, 0, 0)
        if n > 1:
            for i in range(n):
                for m in range(1, min(n - i, n - 1, LONGEST) + 1):
                    other = self.of_run[(a + i) * LONGEST + m - 1] - 1
                    if other >= 0 and self.chosen[other] > best and self.times(other) > 0:
                        best = self.chosen[other]
            if best > 0:
                out[PARTS_CHOSEN] = log(1 + <double>self.decoded[best])
        if n < LONGEST:
            for o in range(self.phrases.first[c], self.phrases.first[c + 1]):
                a = self.phrases.start[o]
                for i in range(max(a + n - LONGEST, 0), a + 1):
                    if self.new[i] >> n == 0:
                        continue
                    for m in range(max(a - i, 1) + n, LONGEST + 1):
                        if self.new[i] >> (m - 1) & 1:
                            self.see(self.of_run[i * LONGEST + m - 1] - 1, &longer)
        if n <= LONGEST:
            for i in range(self.many):
                other = self.longer.data.as_ints[i]
                a = self.phrases.start[self.phrases.first[other]]
                for o in range(a, self.phrases.end[self.phrases.first[other]] - n + 1):
                    if self.of_run[o * LONGEST + n - 1] == c + 1:
                        self.see(other, &longer)
        if longer.kinds > 0:
            out[LONGER_KINDS] = log(1 + longer.kinds)
            out[LONGER_SHARE] = longer.most / <double>times
            out[LONGER_CHOSEN] = log(1 + <double>self.decoded[longer.chosen])

    cdef inline void see(self, Py_ssize_t c, Longer *longer) noexcept nogil:
        """Count one more longer candidate."""
        longer.kinds += 1
        longer.most = max(longer.most, self.times(c))
        longer.chosen = max(longer.chosen, <int>self.chosen[c])
