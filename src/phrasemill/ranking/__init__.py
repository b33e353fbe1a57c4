"""What the learned method is made of: shapes of phrases, background counts, features, trees, and the model file."""
