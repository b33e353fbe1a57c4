"""Phrasemill inside other people's pipelines: scikit-learn, spaCy."""
