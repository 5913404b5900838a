"""Who writes prose: the outline, which needs nothing, and models through litellm."""
