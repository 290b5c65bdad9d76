"""The part of the network that is trained."""
import torch
from torch import nn

from sizes import CHANNELS

INNER_CHANNELS = 96
DROPPED = 0.15  # share of the channels that are left out of each step


class Head(nn.Module):
    """Features [n, CHANNELS, rows, columns] to logits [n, 1, rows, columns]; a cell sees its neighbours."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(CHANNELS), requires_grad=False)
        self.shift = nn.Parameter(torch.zeros(CHANNELS), requires_grad=False)
        self.narrow = nn.Conv2d(CHANNELS, INNER_CHANNELS, 1)
        self.neighbours = nn.Conv2d(INNER_CHANNELS, INNER_CHANNELS, 3, padding=1, groups=INNER_CHANNELS)
        self.mix = nn.Conv2d(INNER_CHANNELS, INNER_CHANNELS, 1)
        self.judge = nn.Conv2d(INNER_CHANNELS, 1, 1)
        self.drop = nn.Dropout2d(DROPPED)

    def normalise(self, mean, deviation):
        """From now on features of this mean and deviation (numpy [CHANNELS]) arrive with 0 and 1."""
        self.scale.data = torch.from_numpy(1 / deviation)
        self.shift.data = torch.from_numpy(-mean / deviation)

    def forward(self, features):
        x = features * self.scale[:, None, None] + self.shift[:, None, None]
        x = torch.relu(self.narrow(self.drop(x)))
        x = x + torch.relu(self.mix(self.neighbours(x)))
        return self.judge(self.drop(x))


def read_head(path):
    head = Head()
    head.load_state_dict(torch.load(path))
    return head.eval()
