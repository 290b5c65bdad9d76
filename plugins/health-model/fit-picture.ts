import type { Box, Fit } from './types.js'

export interface Size { readonly width: number, readonly height: number }

/** How a part of a picture becomes the input of a network. */
export interface View {
  /** The part, in pixels of the picture. */
  readonly cut: { readonly left: number, readonly top: number, readonly width: number, readonly height: number }
  /** What the part is scaled to, in pixels of the input. */
  readonly size: Size
  /** Where it lies in the input; around it is grey. */
  readonly at: { readonly left: number, readonly top: number }
}

/** Share of the shorter side that the usual transformation for classifiers retains (256 to 224). */
const MIDDLE = 224 / 256
/** Neighbouring tiles share at least this much of a tile, so that what lies on a seam is whole in one of them. */
const SHARED = 0.2
/** No camera has pictures so long that more are needed. */
const MOST_TILES = 6

const scaled = ({ width, height }: Size, factor: number): Size =>
  ({ width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) })

/** The largest part of a picture with the shape of the input. */
const largest = (picture: Size, input: Size): Size =>
  scaled(input, Math.min(picture.width / input.width, picture.height / input.height))

function middle (picture: Size, input: Size, share: number): View {
  const { width, height } = scaled(largest(picture, input), share)
  const left = Math.round((picture.width - width) / 2)
  const top = Math.round((picture.height - height) / 2)
  return { cut: { left, top, width, height }, size: input, at: { left: 0, top: 0 } }
}

const whole = ({ width, height }: Size) => ({ left: 0, top: 0, width, height })

/** Rounded as Ultralytics does, so that boxes are where they are there. */
function letterbox (picture: Size, input: Size): View {
  const size = scaled(picture, Math.min(input.width / picture.width, input.height / picture.height))
  const at = {
    left: Math.round((input.width - size.width) / 2 - 0.1),
    top: Math.round((input.height - size.height) / 2 - 0.1)
  }
  return { cut: whole(picture), size, at }
}

/** Where tiles begin along a side. */
function startsOf (side: number, tile: number): number[] {
  const shared = tile * SHARED
  const count = side <= tile ? 1 : Math.min(MOST_TILES, Math.ceil((side - shared) / (tile - shared)))
  return Array.from({ length: count }, (_, at) => count === 1 ? 0 : Math.round(at * (side - tile) / (count - 1)))
}

function tiles (picture: Size, input: Size): View[] {
  const tile = largest(picture, input)
  return startsOf(picture.height, tile.height).flatMap(top => startsOf(picture.width, tile.width).map(left =>
    ({ cut: { left, top, ...tile }, size: input, at: { left: 0, top: 0 } })))
}

/** Networks that take any size halve their picture four times. */
const MULTIPLE = 16
const LEAST_SIDE = 5 * MULTIPLE

const rounded = (side: number): number => Math.max(LEAST_SIDE, Math.ceil(side / MULTIPLE) * MULTIPLE)

/** Not enlarged, because nothing can be seen better afterwards. */
const unenlarged = (picture: Size, input: Size): Size =>
  scaled(picture, Math.min(1, Math.sqrt(input.width * input.height / (picture.width * picture.height))))

/** The size of the input that a picture is given in, in pixels. */
export function inputSizeOf (fit: Fit, picture: Size, input: Size): Size {
  if (fit !== 'whole') return input
  const { width, height } = unenlarged(picture, input)
  return { width: rounded(width), height: rounded(height) }
}

/** The inputs that a network is given for one picture. */
export function viewsOf (fit: Fit, picture: Size, input: Size): readonly View[] {
  switch (fit) {
    case 'stretch': return [{ cut: whole(picture), size: input, at: { left: 0, top: 0 } }]
    case 'letterbox': return [letterbox(picture, input)]
    case 'crop': return [middle(picture, input, 1)]
    case 'centre': return [middle(picture, input, MIDDLE)]
    case 'tiles': return tiles(picture, input)
    case 'whole': return [{ cut: whole(picture), size: unenlarged(picture, input), at: { left: 0, top: 0 } }]
  }
}

const clamp01 = (value: number) => value < 0 ? 0 : value > 1 ? 1 : value

/** Maps boxes in fractions of the input to fractions of the picture; those beside the picture are dropped. */
export function inPicture (boxes: readonly Box[], { cut, size, at }: View, picture: Size, input: Size): Box[] {
  const [wide, high] = [cut.width / size.width, cut.height / size.height]
  const x = (share: number) => clamp01((cut.left + (share * input.width - at.left) * wide) / picture.width)
  const y = (share: number) => clamp01((cut.top + (share * input.height - at.top) * high) / picture.height)
  return boxes
    .map(box => ({ ...box, left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) }))
    .filter(({ left, top, right, bottom }) => right > left && bottom > top)
}
