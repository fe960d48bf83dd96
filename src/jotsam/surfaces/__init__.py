"""How people and programs meet Jotsam. Surfaces translate between them and the door, and decide nothing."""
