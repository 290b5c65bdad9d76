"""What cameras do to a picture, and what stands before them."""
import cv2
import numpy as np

from sizes import HEIGHT, WIDTH


def draw_head(random, canvas, cover):
    """A dark tool head in front of the scene; it hides tangles, so it takes away from cover. Both change in place."""
    x, y = int(random.integers(0, WIDTH)), int(random.integers(-20, HEIGHT * 2 // 3))
    width, height = int(random.integers(40, 150)), int(random.integers(30, 120))
    colour = random.uniform(10, 120, 3)
    outline = np.array([
        [x, y],
        [x + width, y + int(random.integers(-8, 8))],
        [x + width - int(random.integers(0, width // 3)), y + height],
        [x + width // 2, y + height + int(random.integers(5, 25))],
        [x + int(random.integers(0, width // 3)), y + height]
    ], np.int32)
    cv2.fillPoly(canvas, [outline], colour.tolist(), cv2.LINE_AA)
    for _ in range(int(random.integers(2, 8))):
        begin = int(x + random.integers(0, width)), int(y + random.integers(0, height))
        end = int(x + random.integers(0, width)), int(y + random.integers(0, height))
        shade = (colour * random.uniform(0.5, 1.8)).clip(0, 255).tolist()
        cv2.rectangle(canvas, begin, end, shade, int(random.choice([-1, 1, 2])))
    hidden = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.fillPoly(hidden, [outline], 1)
    cover[hidden > 0] = 0


def photographed(random, canvas):
    """Gamma, light, night, infrared, white balance, blur, noise and JPEG, each by chance. uint8 [height, width, 3]."""
    picture = canvas.astype(np.float32)
    if random.random() < 0.3:
        picture = 255 * (picture / 255) ** random.uniform(0.5, 2.2)
    if random.random() < 0.5:
        picture = picture * random.uniform(0.5, 1.35) + random.uniform(-20, 25)
    if random.random() < 0.15:
        picture = picture * random.uniform(0.15, 0.4)
    if random.random() < 0.18:
        picture = np.repeat(picture.mean(2, keepdims=True), 3, 2) * np.array([1, 1, 1])
    elif random.random() < 0.4:
        picture = picture * random.uniform(0.8, 1.2, 3)
    if random.random() < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.4, 1.4))
    if random.random() < 0.6:
        picture = picture + random.normal(0, random.uniform(1, 9), picture.shape)
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if random.random() < 0.8:
        picture = compressed(picture, int(random.integers(35, 93)))
    return picture


def compressed(picture, quality):
    """As it comes out of a JPEG of this quality."""
    return cv2.imdecode(cv2.imencode('.jpg', picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
