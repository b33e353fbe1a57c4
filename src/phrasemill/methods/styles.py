"""Styles: whose choice of keyphrases a method imitates. Their names are declared here, once."""

GENERAL, AUTHOR, INDEXER, READER, NEWS, TAGS = "general", "author", "indexer", "reader", "news", "tags"
EVERYDAY = "everyday"  # what an editor chooses for texts of all kinds that people read
# What `learned` and `encoder` offer; GENERAL is for texts of any kind: it is recognised from the text.
STYLES = (AUTHOR, EVERYDAY, GENERAL, INDEXER, NEWS, READER)
# A network reads the style as a first piece, numbered in the order in which its file format has them.
ENCODER_PIECES = (GENERAL, AUTHOR, INDEXER, READER, NEWS, EVERYDAY)
GENERATOR_PIECES = (AUTHOR, INDEXER, READER, TAGS, NEWS)
# The kinds of text that the encoder tells apart, by whose choice of keyphrases it knows of such texts.
ENCODER_KINDS = ENCODER_PIECES[1:]
