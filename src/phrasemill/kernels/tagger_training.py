"""One pass of the tagger's averaged perceptron over the training sentences."""

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

WIDTH = 48
EOF = 0
