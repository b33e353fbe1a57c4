"""What makes and checks the library: datasets, networks, training, the tables of the papers, benchmarks.

Nothing outside of `lab` and of the commands imports it.
"""
