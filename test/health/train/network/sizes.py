"""Sizes that all steps share."""

WIDTH, HEIGHT = 576, 320  # of a canvas, in pixels
CELL = 16  # pixels; the network judges a picture in cells of this size
ROWS, COLUMNS = HEIGHT // CELL, WIDTH // CELL
CHANNELS = 224  # numbers that the base network gives for each cell
