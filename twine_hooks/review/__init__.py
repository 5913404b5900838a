"""What a change of the documents looks like to a reviewer: compared, rendered, posted."""
