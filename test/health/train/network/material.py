"""What canvases are composed of: real pictures, cut-outs and generated chambers."""
import json
import os

import cv2

from pictures import Pictures

LEAST_TANGLED = 22  # cutouts.tangledness of what is pasted as a tangle; below are hands, tables and smooth parts


def read_json(*path):
    with open(os.path.join(*path)) as file:
        return json.load(file)


class Material:
    def __init__(self, pictures_folder, out):
        self.pictures = Pictures(pictures_folder)
        self.out = out
        self.cutouts = [facts for facts in read_json(out, 'cutouts', 'cutouts.json')
                        if facts['tangledness'] >= LEAST_TANGLED]
        self.chambers = read_json(out, 'backgrounds', 'backgrounds.json')
        training = [facts for facts in self.chambers if facts['set'] == 'train']
        self.good_chambers = [facts for facts in training if not facts['fails']]
        self.failing_chambers = [facts for facts in training if facts['fails']]

    def read_chamber(self, facts):
        """uint8 [height, width, 3], BGR."""
        return cv2.imread(os.path.join(self.out, 'backgrounds', facts['file']))

    def read_cutout(self, facts):
        """uint8 [height, width, 4], BGR and alpha."""
        return cv2.imread(os.path.join(self.out, 'cutouts', facts['file']), cv2.IMREAD_UNCHANGED)


def one_of(random, members):
    return members[random.integers(len(members))]
