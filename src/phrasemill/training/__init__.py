"""Training: models that users make out of their own documents with known keyphrases."""
