"""From facts, and where there is one a model's answer, to the text of one document."""
