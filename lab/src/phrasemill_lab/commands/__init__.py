"""The commands of the laboratory: `bench`, `reproduce`, `datasets`, `dataset` and `train`."""
