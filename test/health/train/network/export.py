"""Joins base network and head into one file: export.py WEIGHTS HEAD.pt OUT.onnx SCALE SHIFT

Input `picture`: RGB from 0 to 1, [1, 3, height, width], sides that CELL divides. Outputs: `failure` [1, 1], the mean of
the highest cells, and `map` [1, 1, height/16, width/16]; both are probabilities, sigmoid(SCALE * logit + SHIFT).
"""
import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from base_network import BaseNetwork, read_weights
from evaluate import HIGHEST_CELLS
from head import read_head
from sizes import HEIGHT, WIDTH

LEAST_NUMBERS = 256  # in a tensor from which half precision saves something


class WholeNetwork(nn.Module):
    def __init__(self, base, head, scale, shift):
        super().__init__()
        self.base, self.head, self.scale, self.shift = base, head, scale, shift

    def forward(self, picture):
        cells = torch.sigmoid(self.scale * self.head(self.base(picture)) + self.shift)
        return cells.flatten(1).topk(HIGHEST_CELLS, dim=1)[0].mean(1, keepdim=True), cells


def halve(model):
    """Stores large tensors at half precision, which halves the file; the network still computes in single precision."""
    graph = model.graph
    for tensor in list(graph.initializer):
        numbers = numpy_helper.to_array(tensor)
        if numbers.dtype != np.float32 or numbers.size < LEAST_NUMBERS:
            continue
        name = f'{tensor.name}_half'
        graph.initializer.remove(tensor)
        graph.initializer.append(numpy_helper.from_array(numbers.astype(np.float16), name))
        graph.node.insert(0, helper.make_node('Cast', [name], [tensor.name], to=TensorProto.FLOAT))


def main(weights, head, out, scale, shift):
    network = WholeNetwork(BaseNetwork(read_weights(weights)), read_head(head), float(scale), float(shift)).eval()
    torch.onnx.export(network, torch.rand(1, 3, HEIGHT, WIDTH), out, opset_version=13, input_names=['picture'],
                      output_names=['failure', 'map'],
                      dynamic_axes={'picture': {2: 'height', 3: 'width'}, 'map': {2: 'rows', 3: 'columns'}})
    model = onnx.load(out)
    halve(model)
    onnx.checker.check_model(model)
    onnx.save(model, out)


if __name__ == '__main__':
    main(*sys.argv[1:])
