"""Bytes in, facts and graph out; knows no disk, no settings file, no git and no model."""
