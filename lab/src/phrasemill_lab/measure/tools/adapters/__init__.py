"""One file per tool, with constants that are read without it, and `extractor`, which is called in its own process.

`REQUIREMENTS` is what to install, the tool first, unless `PACKAGE` names it; `LICENCE` is what it is under, `VARIANTS`
what it can do: a name, and the method of ours that does the same. `NETWORK` says that it runs a neural network and so
is timed on few documents, `NATIVE` that it is compiled code. `ALONE` are packages installed without what they ask for,
such as a spaCy model. `extractor(variant)` imports the tool and returns a function from a text to its ten best phrases.
"""
