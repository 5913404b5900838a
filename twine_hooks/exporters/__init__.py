"""One module per format of what is exported; each takes values and writes text or a file."""
