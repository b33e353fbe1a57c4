"""One file a peer, with constants that are read without it, and `extractor`, which is called in its own process.

`REQUIREMENTS` is what to install, `LICENCE` what it is under, `VARIANTS` what it can do: a name, and the method of ours
that does the same. `MODEL`, where there is one, names the option whose model it needs; `NETWORK` says that it is slow.
`extractor(variant, model)` imports the peer and returns a function from a text to its ten best phrases.
"""
