"""Word classes, one for several tags: methods/learned/shapes.py says for which."""

cpdef enum:
    NONE, NOUN, NOUNS, NAME, ADJECTIVE, FOREIGN, ING, PARTICIPLE
    VERB, PREPOSITION, OF, DETERMINER, ADVERB, AND, CARDINAL, OWNER
    CLASSES  # their number
    # The first six after none extend a noun phrase to the left, the first three to the right.
    LAST_LEFT = ING
    LAST_RIGHT = NAME
