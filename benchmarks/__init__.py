"""How fast it is, as ratios to what was measured in the same run; not part of the package."""
