"""What the documents of a history would have cost, commit by commit; writes and asks nothing."""
