"""Cuts tangles out of failing pictures, for pasting: cutouts.py PICTURES OUT [SHARE]

GrabCut decides inside the boxes which pixels belong to the tangle. It does so for pictures with a mask too, because the
masks of these sources are mere unions of boxes. Writes OUT/NUMBER.png with an alpha channel, and OUT/cutouts.json.
"""
import json
import os
import sys

import cv2
import numpy as np

from pictures import Pictures

TANGLES = ('spaghetti', 'fail')  # classes of boxes that hold strands
LEAST_BOXED, MOST_BOXED = 0.02, 0.9  # share of the picture in boxes; GrabCut needs a background to learn from
LEAST_CUT, MOST_CUT = 0.12, 0.9  # share of the boxes that GrabCut keeps; beyond these it has failed
GRABCUT_ROUNDS = 4
LEAST_PIXELS = 300
LEAST_SIDE = 30  # pixels
LEAST_INNER = 200  # pixels away from the edge of a cut-out, without which its texture cannot be judged
TEXTURE_WINDOW = 15  # pixels


def boxed_area(boxes, height, width):
    """bool [height, width]: what lies in a box; each box has at least one pixel each way."""
    area = np.zeros((height, width), bool)
    for x0, y0, x1, y1, _ in boxes:
        top, left = int(y0 * height), int(x0 * width)
        area[top:max(top + 1, int(y1 * height)), left:max(left + 1, int(x1 * width))] = True
    return area


def tangle_mask(picture, area):
    """float32 [height, width] from 0 to 1, or None where GrabCut finds no tangle. It works at half the size."""
    if not LEAST_BOXED <= area.mean() <= MOST_BOXED:
        return None
    height, width = area.shape
    half = (width // 2, height // 2)
    small = cv2.resize(picture, half, interpolation=cv2.INTER_AREA)
    boxed = cv2.resize(area.astype(np.uint8), half, interpolation=cv2.INTER_NEAREST) == 1
    labels = np.where(boxed, cv2.GC_PR_FGD, cv2.GC_BGD).astype(np.uint8)
    try:
        cv2.grabCut(small, labels, None, np.zeros((1, 65)), np.zeros((1, 65)), GRABCUT_ROUNDS, cv2.GC_INIT_WITH_MASK)
    except cv2.error:
        return None
    tangle = (labels == cv2.GC_FGD) | (labels == cv2.GC_PR_FGD)
    if not LEAST_CUT <= tangle[boxed].mean() <= MOST_CUT:
        return None
    return cv2.resize(tangle.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)


def cut(picture, boxes):
    """uint8 [height, width, 4], BGR and alpha, as small as the tangle; None where there is none worth pasting."""
    mask = tangle_mask(picture, boxed_area(boxes, *picture.shape[:2]))
    if mask is None:
        return None
    rows, columns = np.where(mask > 0.5)
    if len(rows) < LEAST_PIXELS:
        return None
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    if bottom - top < LEAST_SIDE or right - left < LEAST_SIDE:
        return None
    alpha = (mask[top:bottom, left:right] * 255).astype(np.uint8)
    return np.dstack([picture[top:bottom, left:right], alpha])


def tangledness(cutout):
    """How many edges of many directions there are: strands have them, a hand or a smooth part has not. 0 is none."""
    opaque = cutout[:, :, 3] > 127
    inner = cv2.erode(opaque.astype(np.uint8), np.ones((5, 5))) > 0
    if inner.sum() < LEAST_INNER:
        return 0
    brightness = cv2.GaussianBlur(cutout[:, :, :3].max(2).astype(np.float32), (0, 0), 1.0)
    dx, dy = cv2.Sobel(brightness, cv2.CV_32F, 1, 0), cv2.Sobel(brightness, cv2.CV_32F, 0, 1)
    # The structure tensor: its coherence is 1 where all edges have one direction.
    window = (TEXTURE_WINDOW, TEXTURE_WINDOW)
    xx, yy, xy = [cv2.blur(product * inner, window) for product in (dx * dx, dy * dy, dx * dy)]
    coherence = np.sqrt((xx - yy) ** 2 + 4 * xy ** 2) / (xx + yy + 1e-3)
    energy = np.sqrt(np.maximum(xx + yy, 0))  # the blur may leave a tiny negative number
    typical_energy = float(np.median(energy[inner]))
    typical_coherence = float(np.average(coherence[inner], weights=energy[inner] + 1e-3))
    return typical_energy * (1 - typical_coherence)


def main(folder, out, share='1'):
    pictures = Pictures(folder)
    os.makedirs(out, exist_ok=True)
    found = []
    # GrabCut draws from OpenCV's own random stream, so the result depends on the order of the pictures.
    for number in pictures.sample(float(share)):
        boxes = [box for box in pictures.boxes(number) if box[4] in TANGLES]
        if pictures.facts[number]['label'] != 'fail' or not boxes:
            continue
        cutout = cut(pictures.read(number), boxes)
        if cutout is None:
            continue
        name = f'{number:04d}.png'
        cv2.imwrite(os.path.join(out, name), cutout)
        found.append({'file': name, 'source': pictures.source(number), 'group': pictures.group(number),
                      'tangledness': tangledness(cutout)})
    with open(os.path.join(out, 'cutouts.json'), 'w') as file:
        json.dump(found, file)
    print(f'{len(found)} cut-outs')


if __name__ == '__main__':
    main(*sys.argv[1:])
