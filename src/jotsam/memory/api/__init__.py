"""The public classes: `Jotsam`, `AsyncJotsam`, `Admin`, and the parts of a client such as `Jotsam.knowledge`."""
