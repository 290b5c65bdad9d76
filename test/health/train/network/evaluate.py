"""Figures of a head for sources that it was not trained on: evaluate.py PICTURES FOLDER HEAD.pt HELD_OUT FIGURES.json

FOLDER has what evaluation_set.py prepares. HELD_OUT: sources, joined by commas; those without failing pictures have no
figures of their own. Prints a table.
"""
import glob
import json
import os
import sys

import numpy as np
import torch
from sklearn.metrics import roc_auc_score

from evaluation_set import LOOKS, PASTED_LOOKS
from features import read_features
from head import read_head
from pictures import Pictures
from sizes import HEIGHT, WIDTH

HIGHEST_CELLS = 8  # whose mean is the score of a picture
FALSE_SHARES = (0.01, 0.05, 0.1)
QUIET_PRINTS = 0.97  # share of the good prints that the limit for sequences leaves quiet
BATCH = 32
WITH_OTHER_OBJECTS = 'MRV1N2'  # the source whose good pictures are of many printers


def scores(head, folder, name, height, width):
    """float32 [n]: from 0 to 1, high for failures."""
    features = read_features(os.path.join(folder, f'{name}-features.f16'), height, width)
    found = []
    with torch.no_grad():
        for at in range(0, len(features), BATCH):
            cells = torch.sigmoid(head(torch.from_numpy(features[at:at + BATCH].astype(np.float32)))).flatten(1)
            found.append(cells.topk(HIGHEST_CELLS)[0].mean(1).numpy())
    return np.concatenate(found)


def still_scores(head, folder):
    """Number of a picture to its score."""
    with open(os.path.join(folder, 'stills.json')) as file:
        stills = json.load(file)
    return {number: score for still in stills for number, score in zip(
        still['pictures'], scores(head, folder, still['name'], still['height'], still['width']))}


def ranking(failing, good):
    """AUC, and the share of failures above what a share of the good ones reaches; None without either."""
    if len(failing) == 0 or len(good) == 0:
        return None
    auc = roc_auc_score([1] * len(failing) + [0] * len(good), np.concatenate([failing, good]))
    detected = {f'{share:g}': round(float((failing > np.quantile(good, 1 - share)).mean()), 4)
                for share in FALSE_SHARES}
    return {'failing': len(failing), 'good': len(good), 'auc': round(float(auc), 4), 'detected': detected}


def noticed(pasted, good):
    """Share of the prints with a tangle that pass, within PASTED_LOOKS, what QUIET_PRINTS of the good ones stay below.

    pasted: [prints * PASTED_LOOKS]; good: [prints * LOOKS].
    """
    limit = np.quantile(good.reshape(-1, LOOKS).max(1), QUIET_PRINTS)
    return {'limit': round(float(limit), 4),
            'noticed': round(float((pasted.reshape(-1, PASTED_LOOKS).max(1) > limit).mean()), 4)}


def figures_of(head, pictures, folder, source):
    stills = still_scores(head, folder)

    def of(label, owner=None):
        return np.array([score for number, score in stills.items() if pictures.facts[number]['label'] == label
                         and owner in (None, pictures.source(number))])
    good = scores(head, folder, 'good', HEIGHT, WIDTH)
    figures = {
        'stills, all good pictures': ranking(of('fail', source), of('ok')),
        f'stills, good ones of {WITH_OTHER_OBJECTS}': ranking(of('fail', source), of('ok', WITH_OTHER_OBJECTS)),
        'stills, generated good ones': ranking(of('fail', source), good)
    }
    if glob.glob(os.path.join(glob.escape(folder), f'pasted-{source}-features.f16')):
        pasted = scores(head, folder, f'pasted-{source}', HEIGHT, WIDTH)
        figures['pasted, last look'] = ranking(pasted[PASTED_LOOKS - 1::PASTED_LOOKS], good)
        figures['pasted sequences'] = noticed(pasted, good)
    return figures


def print_figures(source, figures):
    for name, figure in figures.items():
        if figure is None:
            print(f'{source:16} {name:30} too few pictures')
        elif 'auc' in figure:
            detected = ', '.join(f'{100 * share:.1f}' for share in figure['detected'].values())
            print(f"{source:16} {name:30} {figure['failing']} failing, {figure['good']} good: AUC {figure['auc']:.3f}, "
                  f"detected at 1, 5, 10 %: {detected} %")
        else:
            print(f"{source:16} {name:30} noticed {100 * figure['noticed']:.1f} %, limit {figure['limit']:.3f}")


def main(pictures_folder, folder, head_path, held_out, out):
    pictures, head, found = Pictures(pictures_folder), read_head(head_path), {}
    failing = {pictures.source(number) for number in pictures.failing}
    for source in held_out.split(','):
        if source in failing:
            found[source] = figures_of(head, pictures, folder, source)
            print_figures(source, found[source])
    with open(out, 'w') as file:
        json.dump(found, file, indent=2)


if __name__ == '__main__':
    main(*sys.argv[1:])
