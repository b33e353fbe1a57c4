"""The commands of the laboratory: `dataset`, `measure`, `reproduce` and `train`."""
