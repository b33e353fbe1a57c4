"""Styles: whose choice of keyphrases a method imitates; data/methods.toml says which method has which.

GENERAL is for texts of any kind: whose choice to expect is recognised from the text.
"""

GENERAL, AUTHOR, INDEXER, READER, NEWS, TAGS = "general", "author", "indexer", "reader", "news", "tags"
EVERYDAY = "everyday"  # what an editor chooses for texts of all kinds that people read
# A network reads the style as a first piece, numbered in the order in which its file format has them.
ENCODER_PIECES = (GENERAL, AUTHOR, INDEXER, READER, NEWS, EVERYDAY)
GENERATOR_PIECES = (AUTHOR, INDEXER, READER, TAGS, NEWS)
# The kinds of text that the encoder tells apart, by whose choice of keyphrases it knows of such texts.
ENCODER_KINDS = ENCODER_PIECES[1:]
