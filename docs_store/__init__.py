"""What was documented, and from which inputs; knows no git, no grammar and no model."""
