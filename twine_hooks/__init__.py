"""The codetwine program: documents of source code that are kept true on every commit."""
