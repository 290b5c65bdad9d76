"""Composes canvases: pictures for training, with a label for each cell.

Three kinds: 'real', a failing picture as it is; 'paste', tangles pasted into a good scene; 'good', a scene without one.
The order of the random draws is part of the recipe: another order makes other canvases.
"""
from dataclasses import dataclass, field

import cv2
import numpy as np

from camera import draw_head, photographed
from material import one_of
from paste import paste, scaling
from sizes import CELL, COLUMNS, HEIGHT, ROWS, WIDTH

FAILS, GOOD, UNKNOWN = 1, 0, -1
FIRST_SEED = 7_000_021
LETTERBOX_GREY = 114

# Shares of the kinds: what is left is good.
REAL, REAL_OR_PASTED = 0.30, 0.78
# Shares of the scenes for the other two kinds: what is left is a failing picture with its boxes painted over.
GOOD_CHAMBER, ANY_CHAMBER, CHAMBER_OR_GOOD_PICTURE = 0.62, 0.72, 0.97

MOST_BOXES = 40
LEAST_BOX_PX = 300  # area of a box that must hold a failing cell
NO_STRANDS = ('warping', 'layer_shifting', 'over_extrusion')  # boxes that teach neither failing nor good
BOX_MARGIN = 0.6  # cells around a box that are unknown, because boxes are drawn roughly

FAILING_COVER = 0.22  # share of a cell that a tangle covers at least if it fails
CLEARLY_COVERED = 0.4  # opacity from which a pixel makes its cell unknown


@dataclass
class Canvas:
    """picture: uint8 [HEIGHT, WIDTH, 3], BGR. labels: int8 [ROWS, COLUMNS]: FAILS, GOOD or UNKNOWN.

    boxes: uint8 [ROWS, COLUMNS]: number of the box in which a cell lies, 0 for none. A box is known to hold a failure,
    but not where. sources and groups: of every real picture that has a part in it.
    """
    picture: np.ndarray = None
    labels: np.ndarray = None
    boxes: np.ndarray = field(default_factory=lambda: np.zeros((ROWS, COLUMNS), np.uint8))
    kind: str = ''
    sources: set = field(default_factory=set)
    groups: set = field(default_factory=set)

    def credit(self, pictures, number):
        self.sources.add(pictures.source(number))
        self.groups.add(pictures.group(number))


def by_cell(pixels, summary):
    """[ROWS, COLUMNS]: a summary (numpy.mean, numpy.max) of the pixels of each cell; pixels: [HEIGHT, WIDTH]."""
    return summary(pixels.reshape(ROWS, CELL, COLUMNS, CELL), axis=(1, 3))


def chamber_scene(random, material, facts):
    """A random part of a generated chamber that fills the canvas.

    Returns it with what it shows of the chamber, in fractions: left, top, width, height.
    """
    chamber = material.read_chamber(facts)
    scale = random.uniform(1.0, 1.35)
    width, height = int(WIDTH * scale), int(WIDTH * scale * 9 / 16) + 1
    chamber = cv2.resize(chamber, (width, max(height, HEIGHT)), interpolation=cv2.INTER_AREA)
    height = chamber.shape[0]
    left, top = random.integers(0, width - WIDTH + 1), random.integers(0, height - HEIGHT + 1)
    return (chamber[top:top + HEIGHT, left:left + WIDTH].copy(),
            (left / width, top / height, WIDTH / width, HEIGHT / height))


def picture_scene(random, pictures, number, fills):
    """A real picture on the canvas, filling it or in a frame.

    Returns it with its boxes, (x0, y0, x1, y1, class) in pixels, and bool [HEIGHT, WIDTH]: where the picture is.
    """
    picture = pictures.read(number)
    height, width = picture.shape[:2]
    within, filling = min(WIDTH / width, HEIGHT / height), max(WIDTH / width, HEIGHT / height)
    scale = random.uniform(filling, filling * 1.3) if fills else within * random.uniform(0.75, 1.25)
    width, height = max(16, int(width * scale)), max(16, int(height * scale))
    picture = cv2.resize(picture, (width, height), interpolation=scaling(scale))
    canvas = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    canvas[:] = LETTERBOX_GREY if random.random() < 0.5 else int(random.integers(0, 60))
    x = int(random.integers(min(0, WIDTH - width), max(0, WIDTH - width) + 1))
    y = int(random.integers(min(0, HEIGHT - height), max(0, HEIGHT - height) + 1))
    left, top, right, bottom = max(0, x), max(0, y), min(WIDTH, x + width), min(HEIGHT, y + height)
    canvas[top:bottom, left:right] = picture[top - y:bottom - y, left - x:right - x]
    shown = np.zeros((HEIGHT, WIDTH), bool)
    shown[top:bottom, left:right] = True
    boxes = [(x + x0 * width, y + y0 * height, x + x1 * width, y + y1 * height, kind)
             for x0, y0, x1, y1, kind in pictures.boxes(number)]
    return canvas, boxes, shown


def label_boxes(canvas, boxes, shown):
    """Cells in or near a box are unknown, those outside good; large boxes get a number."""
    canvas.labels = np.where(by_cell(shown.astype(np.float32), np.mean) > 0.5, GOOD, UNKNOWN).astype(np.int8)
    for at, (x0, y0, x1, y1, kind) in enumerate(boxes[:MOST_BOXES]):
        left, top, right, bottom = max(0, x0) / CELL, max(0, y0) / CELL, min(WIDTH, x1) / CELL, min(HEIGHT, y1) / CELL
        if right <= left or bottom <= top:
            continue
        around = np.s_[max(0, int(top - BOX_MARGIN)):int(np.ceil(bottom + BOX_MARGIN)),
                       max(0, int(left - BOX_MARGIN)):int(np.ceil(right + BOX_MARGIN))]
        canvas.labels[around] = UNKNOWN
        if (x1 - x0) * (y1 - y0) > LEAST_BOX_PX and kind not in NO_STRANDS:
            canvas.boxes[int(top):max(int(top) + 1, int(round(bottom))),
                         int(left):max(int(left) + 1, int(round(right)))] = at + 1


def compose_real(random, material, canvas):
    pictures = material.pictures
    number = one_of(random, pictures.failing)
    canvas.kind = 'real'
    canvas.credit(pictures, number)
    scene, boxes, shown = picture_scene(random, pictures, number, random.random() < 0.35)
    label_boxes(canvas, boxes, shown)
    return scene


def mark_strands(cover, strands, shown):
    """Marks strands of a generated chamber, given as fractions of it, in the shown part of it."""
    left, top, width, height = shown
    for strand_x, strand_y in strands:
        x, y = int((strand_x - left) / width * WIDTH), int((strand_y - top) / height * HEIGHT)
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            cv2.circle(cover, (x, y), 3, 1, -1)


def background_scene(random, material, canvas, cover):
    """What tangles are pasted into."""
    pictures = material.pictures
    which = random.random()
    if which < ANY_CHAMBER:
        fails = which >= GOOD_CHAMBER
        facts = one_of(random, material.failing_chambers if fails else material.good_chambers)
        scene, shown = chamber_scene(random, material, facts)
        canvas.sources.add('gen')
        mark_strands(cover, facts['strands'] if fails else [], shown)
        return scene
    if which < CHAMBER_OR_GOOD_PICTURE:
        number = one_of(random, pictures.good)
        canvas.credit(pictures, number)
        return picture_scene(random, pictures, number, random.random() < 0.7)[0]
    number = one_of(random, pictures.failing)
    canvas.credit(pictures, number)
    scene, boxes, _ = picture_scene(random, pictures, number, True)
    for x0, y0, x1, y1, _ in boxes:
        hidden = np.s_[max(0, int(y0) - 4):max(0, int(y1) + 4), max(0, int(x0) - 4):max(0, int(x1) + 4)]
        scene[hidden] = int(random.integers(0, 90))
    return scene


def compose_scene(random, material, canvas, pasted):
    """A background, smooth parts, tangles if any are to be pasted, and by chance a tool head before all."""
    cover = np.zeros((HEIGHT, WIDTH), np.float32)
    scene = background_scene(random, material, canvas, cover)
    canvas.kind = 'paste' if pasted else 'good'
    for _ in range(int(random.choice([0, 0, 1, 1, 2]))):
        paste(random, material, scene, cover, smooth=True)
    for _ in range(int(random.choice([1, 1, 1, 2, 3])) if pasted else 0):
        facts = paste(random, material, scene, cover)
        if facts:
            canvas.sources.add(facts['source'])
            canvas.groups.add(facts['group'])
    if random.random() < 0.25:
        draw_head(random, scene, cover)
    touched = by_cell((cover > CLEARLY_COVERED).astype(np.float32), np.max) > 0
    canvas.labels = np.where(by_cell(cover, np.mean) > FAILING_COVER, FAILS, np.where(touched, UNKNOWN, GOOD))
    return scene


def compose(material, number):
    """Canvas by number: always the same one from the same material."""
    random = np.random.default_rng(FIRST_SEED + number)
    canvas = Canvas()
    kind = random.random()
    if kind < REAL:
        scene = compose_real(random, material, canvas)
    else:
        scene = compose_scene(random, material, canvas, kind < REAL_OR_PASTED)
    if random.random() < 0.5:
        scene, canvas.labels, canvas.boxes = scene[:, ::-1], canvas.labels[:, ::-1], canvas.boxes[:, ::-1]
    canvas.picture = photographed(random, np.ascontiguousarray(scene))
    return canvas
