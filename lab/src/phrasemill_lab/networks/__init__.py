"""Networks in PyTorch, and their export to ONNX, which is what the library runs."""
