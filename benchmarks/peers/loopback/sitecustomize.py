"""Keeps the original on the loopback address.

The original asks the routing table which address its host would use towards the internet and lets its
nodes talk over that. Races run on one machine, so every Python process of a peer that has this folder on
PYTHONPATH uses 127.0.0.1 instead. Nothing else of the original is changed.
"""

try:
    from tensorflowonspark import util
except ImportError:
    pass
else:
    util.get_ip_address = lambda: "127.0.0.1"
