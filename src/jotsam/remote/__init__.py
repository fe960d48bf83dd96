"""The client of a server: `Client` and `AsyncClient`, with the methods of `Jotsam`."""
