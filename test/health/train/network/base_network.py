"""The base network: the first 13 blocks of a trained MobileNetV2 whose numbers stay as they are.

base_network.py WEIGHTS FILE.onnx exports it for features.ts.
"""
import json
import os
import sys

import numpy as np
import torch
from torch import nn

from sizes import CHANNELS, HEIGHT, WIDTH

BATCH_NORM_EPSILON = 1e-3
HALVING_BLOCKS = (1, 3, 6, 13)
WIDENING_BLOCKS = (0, 10, 16)  # others of stride 1 add their input to their output
LAST_BLOCK = 12
# The end of each part, counted in layers: the first convolution and its activation are two, each block is one.
EIGHTH, SIXTEENTH, DEEPER = 8, 12, 15


def read_weights(folder):
    """Name to float32 array, from weights.json and weights.bin (see base-weights.ts); a byte is a weight."""
    with open(os.path.join(folder, 'weights.json')) as file:
        listed = json.load(file)
    with open(os.path.join(folder, 'weights.bin'), 'rb') as file:
        data = file.read()
    weights, at = {}, 0
    for entry in listed:
        count = int(np.prod(entry['shape']))
        stored = np.frombuffer(data, np.uint8, count, at).astype(np.float32)
        scaled = stored * entry['quantization']['scale'] + entry['quantization']['min']
        weights[entry['name']] = scaled.reshape(entry['shape'])
        at += count
    if at != len(data):
        raise SystemExit(f'weights.bin has {len(data)} bytes, but {at} are listed in weights.json')
    return weights


class PadEnd(nn.Module):
    """Keras pads only at the right and the bottom where it halves; PyTorch pads on all sides."""

    def forward(self, x):
        return nn.functional.pad(x, (0, 1, 0, 1))


def convolution(weights, kernel_name, norm_name, stride=1, depthwise=False):
    """A convolution with its batch normalisation folded in."""
    gamma, beta, mean, variance = (weights[f'{norm_name}/{part}']
                                   for part in ('gamma', 'beta', 'moving_mean', 'moving_variance'))
    scale = gamma / np.sqrt(variance + BATCH_NORM_EPSILON)
    kernel = weights[kernel_name]  # Keras: height, width, inputs, outputs
    kernel = kernel.transpose(2, 3, 0, 1) if depthwise else kernel.transpose(3, 2, 0, 1)
    outputs, side = kernel.shape[0], kernel.shape[2]
    inputs = outputs if depthwise else kernel.shape[1]
    layer = nn.Conv2d(inputs, outputs, side, stride, padding=0 if stride == 2 or side == 1 else 1,
                      groups=inputs if depthwise else 1)
    layer.weight.data = torch.from_numpy(
        np.ascontiguousarray((kernel * scale[:, None, None, None]).astype(np.float32)))
    layer.bias.data = torch.from_numpy((beta - mean * scale).astype(np.float32))
    return nn.Sequential(PadEnd(), layer) if stride == 2 else layer


class Block(nn.Module):
    """An inverted residual: widen, filter each channel, narrow."""

    def __init__(self, weights, number):
        super().__init__()
        name = 'expanded_conv' if number == 0 else f'block_{number}'
        stride = 2 if number in HALVING_BLOCKS else 1
        layers = []
        if number > 0:
            layers += [convolution(weights, f'{name}_expand/kernel', f'{name}_expand_BN'), nn.ReLU6()]
        layers += [
            convolution(weights, f'{name}_depthwise/depthwise_kernel', f'{name}_depthwise_BN', stride, depthwise=True),
            nn.ReLU6(),
            convolution(weights, f'{name}_project/kernel', f'{name}_project_BN')
        ]
        self.layers = nn.Sequential(*layers)
        self.adds = stride == 1 and number not in WIDENING_BLOCKS

    def forward(self, x):
        return x + self.layers(x) if self.adds else self.layers(x)


class BaseNetwork(nn.Module):
    """RGB from 0 to 1, [n, 3, height, width] with sides that CELL divides, to [n, CHANNELS, height/16, width/16].

    The channels: mean and maximum of 2 x 2 cells of an eighth (32 each), a sixteenth (64), and one deeper (96).
    """

    def __init__(self, weights):
        super().__init__()
        layers = [convolution(weights, 'Conv1/kernel', 'bn_Conv1', 2), nn.ReLU6(),
                  *[Block(weights, number) for number in range(LAST_BLOCK + 1)]]
        self.to_eighth = nn.Sequential(*layers[:EIGHTH])
        self.to_sixteenth = nn.Sequential(*layers[EIGHTH:SIXTEENTH])
        self.deeper = nn.Sequential(*layers[SIXTEENTH:DEEPER])

    def forward(self, x):
        eighth = self.to_eighth(x)
        sixteenth = self.to_sixteenth(eighth)
        deeper = self.deeper(sixteenth)
        return torch.cat([nn.functional.avg_pool2d(eighth, 2), nn.functional.max_pool2d(eighth, 2),
                          sixteenth, deeper], 1)


def main(folder, out):
    network = BaseNetwork(read_weights(folder)).eval()
    picture = torch.zeros(1, 3, HEIGHT, WIDTH)
    with torch.no_grad():
        assert network(picture).shape[1] == CHANNELS
    sides = {0: 'n', 2: 'h', 3: 'w'}
    torch.onnx.export(network, picture, out, input_names=['picture'], output_names=['features'], opset_version=13,
                      dynamic_axes={'picture': sides, 'features': sides})


if __name__ == '__main__':
    main(*sys.argv[1:])
