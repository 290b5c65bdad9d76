"""Prepares the pictures that judge a head: evaluation_set.py PICTURES OUT FOLDER [SHARE]

Stills: every real picture, at about the number of pixels of a canvas and with its own shape; those of one shape are in
one file, and stills.json lists them. Good prints: generated chambers that no canvas is made of, LOOKS of each print in
a row. Pasted: the same prints with a tangle of one source that grows over the last PASTED_LOOKS of them.
"""
import collections
import json
import os
import sys

import cv2
import numpy as np

from camera import compressed
from material import Material
from paste import paste
from sizes import CELL, HEIGHT, WIDTH

STILL_PX = WIDTH * HEIGHT
LEAST_CELLS = 10  # on each side of a still
LOOKS = 6
PASTED_LOOKS = 3
GROWN = (0.6, 0.8, 1)  # share of its size that a tangle has at each look
TANGLE_PX = (60, 200)  # longer side at the end
PASTE_SEED = 88_000
JPEG_QUALITY = 85
CHAMBER_HEIGHT = 324  # of 16:9 at the width of a canvas; a canvas leaves out two lines above and two below


def still_size(height, width):
    """Height and width in pixels, multiples of CELL."""
    scale = (STILL_PX / (width * height)) ** 0.5
    return tuple(max(LEAST_CELLS, round(side * scale / CELL)) * CELL for side in (height, width))


def save_stills(pictures, numbers, folder):
    by_size = collections.defaultdict(list)
    for number in numbers:
        picture = pictures.read(number)
        by_size[still_size(*picture.shape[:2])].append((number, picture))
    listed = []
    for at, ((height, width), members) in enumerate(by_size.items()):
        name = f'stills-{at}'
        np.save(os.path.join(folder, f'{name}-canvases.npy'), np.stack([
            cv2.resize(picture, (width, height), interpolation=cv2.INTER_CUBIC) for _, picture in members]))
        listed.append({'name': name, 'height': height, 'width': width, 'pictures': [number for number, _ in members]})
    with open(os.path.join(folder, 'stills.json'), 'w') as file:
        json.dump(listed, file)


def good_prints(material):
    """Lists of LOOKS pictures, uint8 [HEIGHT, WIDTH, 3], BGR."""
    prints = collections.defaultdict(list)
    for facts in material.chambers:
        if facts['set'] == 'test':
            chamber = cv2.resize(material.read_chamber(facts), (WIDTH, CHAMBER_HEIGHT), interpolation=cv2.INTER_AREA)
            prints[facts['machine'], facts['seed']].append(chamber[2:2 + HEIGHT])
    assert all(len(looks) == LOOKS for looks in prints.values())
    return list(prints.values())


def pasted_looks(material, looks, at, tangle):
    """The last looks of a print, with the same tangle in the same place."""
    for look, grown in zip(looks[-PASTED_LOOKS:], GROWN):
        canvas, cover = look.copy(), np.zeros((HEIGHT, WIDTH), np.float32)
        paste(np.random.default_rng(PASTE_SEED + at), material, canvas, cover, tangle, size_px=TANGLE_PX, grown=grown)
        yield compressed(canvas, JPEG_QUALITY)


def main(pictures_folder, out, folder, share='1'):
    material = Material(pictures_folder, out)
    os.makedirs(folder, exist_ok=True)
    save_stills(material.pictures, material.pictures.sample(float(share)), folder)
    prints = good_prints(material)
    np.save(os.path.join(folder, 'good-canvases.npy'), np.stack([look for looks in prints for look in looks]))
    for source in sorted({facts['source'] for facts in material.cutouts}):
        tangles = [facts for facts in material.cutouts if facts['source'] == source]
        np.save(os.path.join(folder, f'pasted-{source}-canvases.npy'), np.stack([
            look for at, looks in enumerate(prints)
            for look in pasted_looks(material, looks, at, tangles[at % len(tangles)])]))


if __name__ == '__main__':
    main(*sys.argv[1:])
