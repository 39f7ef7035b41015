"""Writes ONNX models of torchvision into tools/models/files, with weights drawn for a seed, for operator set 17.

Debian's python3-torch and python3-torchvision: /usr/bin/python3 tools/models/export-torch.py [--seed N] [NAME ...]

All weights are random, the statistics of batch normalizations and the scales of ConvNeXt's layers too: as they are made, these
are 0, 1 and 1e-6, and would hide what is computed before them.
"""
import argparse
import pathlib

import torch
import torchvision

NAMES = ["squeezenet1_1", "mobilenet_v2", "resnet18", "alexnet", "convnext_tiny"]


def draw(model, seed):
    """Gives parameters of one dimension, statistics and scales values that matter."""
    generator = torch.Generator().manual_seed(seed)

    def around(value, shape):
        return value - 0.5 + torch.rand(shape, generator=generator)

    def small(shape, deviation=0.1):
        return torch.randn(shape, generator=generator) * deviation

    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "layer_scale" in name:
                parameter.copy_(small(parameter.shape, 0.3))
            elif parameter.dim() == 1:
                is_scale = name.endswith("weight")
                parameter.copy_(around(1, parameter.shape) if is_scale else small(parameter.shape))
        for name, buffer in model.named_buffers():
            if name.endswith("running_mean"):
                buffer.copy_(small(buffer.shape))
            elif name.endswith("running_var"):
                buffer.copy_(around(1, buffer.shape))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all without one")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = pathlib.Path(__file__).parent / "files"
    folder.mkdir(exist_ok=True)
    for name in options.names or NAMES:
        if name not in NAMES:
            parser.error(f"no model '{name}'; there are {', '.join(NAMES)}")
        torch.manual_seed(options.seed)
        model = getattr(torchvision.models, name)(weights=None)
        draw(model, options.seed)
        model.eval()
        path = folder / f"{name}.onnx"
        torch.onnx.export(model, torch.zeros(1, 3, 224, 224), str(path), opset_version=17)
        print(path)


if __name__ == "__main__":
    main()
