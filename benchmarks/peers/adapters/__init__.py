"""One file per peer, with constants that are read without it, and `extractor`, which is called in its own process.

`REQUIREMENTS` is what to install, `LICENCE` what it is under, `VARIANTS` what it can do: a name, and the method of ours
that does the same. `NETWORK` says that it runs a neural network and so is given few documents, `ALONE` are packages
installed without what they ask for, such as a spaCy model, and `OTHERWISE` says what to do if pip lacks the peer.
`extractor(variant)` imports the peer and returns a function from a text to its ten best phrases.
"""
