"""Models that write keyphrases.

The networks (`recurrent`, `transformer`) are PyTorch and read top to bottom; `decode` drives any of them step by step
and knows none; `*_export` turns trained weights into ONNX graphs, and `*_runtime` runs those without PyTorch.
"""
