"""From which size on kernels let other threads run."""

# Tokens of a text. A kernel takes 10 to 40 ns for each; to hand over the GIL takes a few microseconds, and some tens
# where another thread has to wake up. Abstracts are shorter than this, papers longer.
LONG = 2000
