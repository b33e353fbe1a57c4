"""What characters are, and what stands between tokens."""

# Classes of characters, by which texts are cut into tokens; a table has them by code point, and 0 for "not looked up
# yet". All from MARK on continue a word.
cpdef enum Class:
    SPACE = 1
    PUNCTUATION
    SYMBOL  # emoji, arrows …: one token each
    CURRENCY
    FORMAT  # zero-width: inside a word or nowhere
    HAN
    KANA  # hiragana: function words and endings, a run of its own
    UNSPACED  # Thai, Lao, Khmer, Burmese: runs are kept whole
    MARK
    DIGIT
    LOWER
    UPPER
    LETTER  # without case

# What stands between a token and the next one.
cdef enum Gap:
    GLUED
    SPACED
    NEWLINE
    PARAGRAPH
