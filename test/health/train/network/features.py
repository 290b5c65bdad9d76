"""Reads what features.ts has written."""
import numpy as np

from sizes import CELL, CHANNELS


def read_features(path, height, width):
    """float16 [n, CHANNELS, rows, columns] for canvases of a height and width in pixels; it stays on the disk."""
    return np.memmap(path, np.float16, 'r').reshape(-1, CHANNELS, -(-height // CELL), -(-width // CELL))
