"""Trains a head on the composed canvases: train.py PICTURES CANVASES HELD_OUT STEPS OUT.pt [SEED]

HELD_OUT: sources (owners of repositories), joined by commas, or none. No canvas is used that has a part of one of them,
or a near-duplicate of one of their pictures.
"""
import glob
import json
import os
import sys

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from compose import FAILS, GOOD
from features import read_features
from head import Head
from pictures import Pictures
from sizes import HEIGHT, WIDTH

THREADS = 2
BATCH = 24  # canvases
RATE, LAST_RATE = 2e-3, 1e-5  # from the first towards the second, along a cosine
WEIGHT_DECAY = 1e-3
NORMALISED_BY = 300  # canvases that say what mean and deviation are

HARDEST_GOOD = 25  # one in so many good cells counts as much as all of them
BOX_WEIGHT = 0.7
FAILING_IN_BOX = 0.35  # share of the cells of a box that have to fail


class Examples:
    """The canvases in a folder that have nothing of the sources that are held out."""

    def __init__(self, folder, pictures, held_out):
        groups = {pictures.group(number) for number in range(len(pictures.facts))
                  if pictures.source(number) in held_out}
        self.chunks, self.places = [], []
        for facts_file in sorted(glob.glob(os.path.join(folder, '*-facts.json'))):
            name = facts_file[:-len('-facts.json')]
            with open(facts_file) as file:
                facts = json.load(file)
            features = read_features(f'{name}-features.f16', HEIGHT, WIDTH)
            self.chunks.append((features, np.load(f'{name}-labels.npy'), np.load(f'{name}-boxes.npy')))
            self.places += [(len(self.chunks) - 1, at) for at, canvas in enumerate(facts)
                            if not set(canvas['sources']) & held_out and not set(canvas['groups']) & groups]

    def spread(self):
        """float32 [n, CHANNELS, ROWS, COLUMNS]: features of canvases from all over."""
        places = self.places[::max(1, len(self.places) // NORMALISED_BY)]
        return np.stack([self.chunks[chunk][0][at].astype(np.float32) for chunk, at in places])

    def batch(self, random):
        """Features float32, labels int8 (both torch), boxes uint8 (numpy); see compose.Canvas."""
        picked = [self.places[place] for place in random.integers(0, len(self.places), BATCH)]
        features, labels, boxes = (np.stack([self.chunks[chunk][part][at] for chunk, at in picked])
                                   for part in range(3))
        return torch.from_numpy(features.astype(np.float32)), torch.from_numpy(labels), boxes


def good_loss(logits):
    """Half for all good cells, half for those that look worst: few false alarms matter more than many faint ones."""
    losses = cross_entropy(logits, torch.zeros(len(logits)), reduction='none')
    hardest = torch.topk(losses, max(1, len(losses) // HARDEST_GOOD))[0].mean()
    return 0.5 * losses.mean() + 0.5 * hardest


def box_logits(logits, boxes):
    """One logit for each box of a batch: the mean of its cells that look worst. A list of scalars."""
    found = []
    for canvas, numbers in zip(logits, boxes):
        for number in np.unique(numbers[numbers > 0]):
            inside = canvas[torch.from_numpy(numbers == number)]
            found.append(torch.topk(inside, max(1, int(np.ceil(len(inside) * FAILING_IN_BOX))))[0].mean())
    return found


def loss_of(logits, labels, boxes):
    """logits, labels, boxes: [n, ROWS, COLUMNS]."""
    fails, good = labels == FAILS, labels == GOOD
    loss = 0
    if fails.any():
        loss = loss + cross_entropy(logits[fails], torch.ones(int(fails.sum())))
    if good.any():
        loss = loss + good_loss(logits[good])
    in_boxes = box_logits(logits, boxes)
    if in_boxes:
        loss = loss + BOX_WEIGHT * cross_entropy(torch.stack(in_boxes), torch.ones(len(in_boxes)))
    return loss


def train(examples, steps, seed):
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    head = Head()
    sample = examples.spread()
    head.normalise(sample.mean((0, 2, 3)), sample.std((0, 2, 3)) + 1e-3)
    trained = [parameter for parameter in head.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(trained, RATE, weight_decay=WEIGHT_DECAY)
    running = None
    for step in range(steps):
        for group in optimiser.param_groups:
            group['lr'] = RATE * 0.5 * (1 + np.cos(np.pi * step / steps)) + LAST_RATE
        features, labels, boxes = examples.batch(random)
        loss = loss_of(head(features)[:, 0], labels, boxes)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
        if (step + 1) % 100 == 0:
            print(f'step {step + 1} of {steps}, loss {running:.4f}', flush=True)
    return head


def main(pictures_folder, canvases, held_out, steps, out, seed='1'):
    torch.set_num_threads(THREADS)
    examples = Examples(canvases, Pictures(pictures_folder), set(held_out.split(',')) - {'none'})
    print(f'{len(examples.places)} canvases', flush=True)
    torch.save(train(examples, int(steps), int(seed)).state_dict(), out)


if __name__ == '__main__':
    main(*sys.argv[1:])
