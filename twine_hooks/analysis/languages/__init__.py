"""One module per language: how its captures become facts and how its imports resolve."""
