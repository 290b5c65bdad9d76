"""The folder of real pictures; README.md describes its manifest.json."""
import collections
import json
import math
import os

import cv2

cv2.setNumThreads(1)

LEAST_IN_SAMPLE = 8  # pictures of each source and label, however small the share


class Pictures:
    """Real pictures by number, which is their place in the manifest."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, 'manifest.json')) as file:
            self.facts = json.load(file)['pictures']
        self.failing = [number for number, facts in enumerate(self.facts)
                        if facts['label'] == 'fail' and facts['boxes']]
        self.good = [number for number, facts in enumerate(self.facts) if facts['label'] == 'ok']

    def read(self, number):
        """uint8 [height, width, 3], BGR."""
        return cv2.imread(os.path.join(self.folder, self.facts[number]['file']))

    def source(self, number):
        """The owner of the repository that the picture comes from."""
        return self.facts[number]['repo'].split('/')[0]

    def group(self, number):
        """Near-duplicates share a group."""
        return self.facts[number]['group']

    def boxes(self, number):
        """[x0, y0, x1, y1, class], as fractions of width and height."""
        return self.facts[number].get('boxes', [])

    def sample(self, share):
        """Numbers of the first pictures of each source and label, in the order of the manifest."""
        members = collections.defaultdict(list)
        for number, facts in enumerate(self.facts):
            members[self.source(number), facts['label']].append(number)
        return sorted(number for numbers in members.values()
                      for number in numbers[:max(LEAST_IN_SAMPLE, math.ceil(share * len(numbers)))])
