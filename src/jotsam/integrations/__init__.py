"""Jotsam as the memory of agent frameworks: a module for each, which imports that framework and nothing else.

Each is an extra: `pip install 'jotsam[adk]'` brings what `jotsam.integrations.adk` imports.
"""
