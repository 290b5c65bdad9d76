"""Composes a chunk of canvases: canvases.py PICTURES OUT FIRST COUNT NAME

Writes NAME-canvases.npy (uint8 [COUNT, HEIGHT, WIDTH, 3], BGR), NAME-labels.npy and NAME-boxes.npy (both
[COUNT, ROWS, COLUMNS]; compose.Canvas says what they hold), and NAME-facts.json.
"""
import json
import sys

import numpy as np

from compose import compose
from material import Material


def main(pictures, out, first, count, name):
    material = Material(pictures, out)
    canvases = [compose(material, number) for number in range(int(first), int(first) + int(count))]
    np.save(f'{name}-canvases.npy', np.stack([canvas.picture for canvas in canvases]))
    np.save(f'{name}-labels.npy', np.stack([canvas.labels for canvas in canvases]).astype(np.int8))
    np.save(f'{name}-boxes.npy', np.stack([canvas.boxes for canvas in canvases]))
    with open(f'{name}-facts.json', 'w') as file:
        json.dump([{'kind': canvas.kind, 'sources': sorted(canvas.sources), 'groups': sorted(canvas.groups)}
                   for canvas in canvases], file)


if __name__ == '__main__':
    main(*sys.argv[1:])
