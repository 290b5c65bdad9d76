"""Pastes cut-outs into a canvas.

The order of the random draws is part of the recipe: another order makes other canvases.
"""
import cv2
import numpy as np

from material import one_of
from sizes import HEIGHT, WIDTH

SIZE_PX = (22, 230)  # longer side of what is pasted
LEAST_SIDE_PX = 10
OPAQUE = 0.5


def scaling(scale):
    """The interpolation that suits a scale."""
    return cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC


def plain_plastic(random, height, width):
    """uint8 [height, width, 3]: one colour with layer lines and a light from one side."""
    colour = np.array(random.uniform(20, 240, 3))
    y = np.arange(height)[:, None]
    depth, period_px, phase = random.uniform(0, 0.15), random.uniform(2, 6), random.uniform(0, 6)
    lines = 1 + depth * np.sin(2 * np.pi * y / period_px + phase)
    shade = np.linspace(random.uniform(0.6, 1.2), random.uniform(0.6, 1.2), width)[None, :]
    return np.clip(colour[None, None, :] * (lines * shade)[:, :, None], 0, 255).astype(np.uint8)


def smooth_texture(random, material, height, width):
    """What a good part could look like: plain plastic, or a piece of a good chamber."""
    if random.random() < 0.5:
        return plain_plastic(random, height, width)
    chamber = material.read_chamber(one_of(random, material.good_chambers))
    left, top = random.integers(0, chamber.shape[1] - 60), random.integers(0, chamber.shape[0] - 40)
    bottom, right = top + int(random.integers(30, 300)), left + int(random.integers(40, 400))
    return cv2.resize(chamber[top:bottom, left:right], (width, height), interpolation=cv2.INTER_AREA)


def recoloured(random, picture):
    """Another hue, saturation, contrast and brightness, each by chance."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
    if random.random() < 0.7:
        hsv[..., 0] = (hsv[..., 0] + random.uniform(0, 180)) % 180  # OpenCV's hues are half degrees
    if random.random() < 0.5:
        hsv[..., 1] *= random.uniform(0, 1.2)
    picture = cv2.cvtColor(np.clip(hsv, 0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR).astype(np.float32)
    if random.random() < 0.5:
        mean = picture.mean()
        picture = (picture - mean) * random.uniform(0.5, 1.2) + mean * random.uniform(0.4, 1.3)
    return np.clip(picture, 0, 255).astype(np.uint8)


def transformed(random, cutout, size_px):
    """The cut-out at a size, flattened as if seen obliquely, by chance mirrored and turned."""
    height, width = cutout.shape[:2]
    scale = size_px / max(height, width)
    flattening = random.uniform(0.6, 1.1)
    size = (max(LEAST_SIDE_PX, int(width * scale)), max(LEAST_SIDE_PX, int(height * scale * flattening)))
    cutout = cv2.resize(cutout, size, interpolation=scaling(scale))
    if random.random() < 0.5:
        cutout = cutout[:, ::-1]
    if random.random() < 0.3:
        cutout = np.rot90(cutout, int(random.integers(1, 4)))
    return cutout


def light_of(random, region, colours, alpha):
    """The factor that makes what is pasted about as bright as the region below it."""
    own = colours[alpha > OPAQUE].mean() if (alpha > OPAQUE).any() else 100
    return np.clip(region.mean() / max(20.0, own), 0.35, 1.6) ** random.uniform(0, 0.9)


def paste(random, material, canvas, cover, facts=None, smooth=False, size_px=SIZE_PX, grown=1):
    """Pastes one cut-out, any or the given one, into canvas and cover; both change in place.

    cover: float32 [HEIGHT, WIDTH], 1 where a tangle is. A smooth one has the outline of a tangle and the texture of a
    good part, so that outlines alone say nothing; it takes away from cover.
    grown: share of its final size.
    Returns the facts of the cut-out, or None if it is too large for the canvas.
    """
    facts = one_of(random, material.cutouts) if facts is None else facts
    size = np.exp(random.uniform(*np.log(size_px))) * grown
    cutout = transformed(random, material.read_cutout(facts), size)
    height, width = cutout.shape[:2]
    alpha = np.ascontiguousarray(cutout[:, :, 3]).astype(np.float32) / 255
    colours = np.ascontiguousarray(cutout[:, :, :3])
    if smooth:
        colours = smooth_texture(random, material, height, width)
    colours = recoloured(random, colours)
    alpha = cv2.GaussianBlur(alpha, (0, 0), random.uniform(0.4, 1.0)) * random.uniform(0.85, 1)
    if height >= HEIGHT or width >= WIDTH:
        return None
    # Most lie in the middle, a little below it: that is where chamber cameras show the plate.
    left = int(np.clip(random.normal(0.5, 0.2) * WIDTH - width / 2, 0, WIDTH - width))
    top = int(np.clip(random.normal(0.62, 0.18) * HEIGHT - height / 2, 0, HEIGHT - height))
    place = np.s_[top:top + height, left:left + width]
    region = canvas[place].astype(np.float32)
    light = light_of(random, region, colours, alpha)
    canvas[place] = np.clip(region * (1 - alpha[..., None])
                            + colours.astype(np.float32) * light * alpha[..., None], 0, 255)
    if smooth:
        cover[place][alpha > OPAQUE] = 0
    else:
        cover[place] = np.maximum(cover[place], alpha)
    return facts
