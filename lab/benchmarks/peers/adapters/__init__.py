"""One file per peer, with constants that are read without it, and `extractor`, which is called in its own process.

`REQUIREMENTS` is what to install, the peer first, unless `PACKAGE` names it; `LICENCE` is what it is under, `VARIANTS`
what it can do: a name, and the method of ours that does the same. `NETWORK` says that it runs a neural network and so
is timed on few documents, and `ALONE` are packages installed without what they ask for, such as a spaCy model.
`extractor(variant)` imports the peer and returns a function from a text to its ten best phrases.
"""
