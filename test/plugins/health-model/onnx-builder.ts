/** Small ONNX networks as bytes, written field by field (protocol buffers, message ModelProto of version 8). */

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [value % 0x80 + 0x80, ...varint(Math.floor(value / 0x80))]
const number = (field: number, value: number): Buffer => Buffer.from([...varint(field * 8), ...varint(value)])
const bytes = (field: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(content.length)]), content])
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value))
const message = (field: number, ...parts: Buffer[]): Buffer => bytes(field, Buffer.concat(parts))

const FLOAT = 1
const UINT8 = 2
const INT64 = 7
const FLOAT16 = 10

type Attribute = number | readonly number[]
const attribute = (name: string, value: Attribute): Buffer => typeof value === 'number'
  ? message(5, text(1, name), number(3, value), number(20, 2))
  : message(5, text(1, name), ...value.map(one => number(8, one)), number(20, 7))

type Attributes = Readonly<Record<string, Attribute>>
export const node = (op: string, inputs: readonly string[], output: string, attributes: Attributes = {}): Buffer =>
  message(1, ...inputs.map(name => text(1, name)), text(2, output), text(3, output), text(4, op),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)))

export const weights = (name: string, dims: readonly number[], values: Float32Array | readonly number[]): Buffer => {
  const data = Float32Array.from(values)
  return message(5, ...dims.map(dim => number(1, dim)), number(2, FLOAT), text(8, name),
    bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)))
}
/** Weights that are said to lie in another file. */
export const outsideWeights = (name: string, path: string): Buffer =>
  message(5, number(1, 1), number(2, FLOAT), text(8, name), message(13, text(1, 'location'), text(2, path)), number(14, 1))
export const shape = (name: string, dims: readonly number[]): Buffer =>
  message(5, number(1, dims.length), number(2, INT64), text(8, name),
    bytes(9, new Uint8Array(BigInt64Array.from(dims.map(BigInt)).buffer)))

/** A dimension with a name is open. */
type Dims = readonly (number | string)[]
const valueInfo = (field: number, name: string, dims: Dims, type: number): Buffer =>
  message(field, text(1, name), message(2, message(1, number(1, type),
    message(2, ...dims.map(dim => message(1, typeof dim === 'string' ? text(2, dim) : number(1, dim)))))))

export interface Network {
  readonly input: Dims
  readonly outputs: Readonly<Record<string, Dims>>
  /** Of input and outputs. */
  readonly isHalf?: boolean
  /** The picture is bytes. */
  readonly isBytes?: boolean
  /** Further inputs, of whole numbers. */
  readonly others?: Readonly<Record<string, Dims>>
  /** Nodes and weights. */
  readonly parts: readonly Buffer[]
  readonly metadata?: Readonly<Record<string, string>>
}

export const networkOf = (
  { input, outputs, parts, metadata = {}, isHalf = false, isBytes = false, others = {} }: Network
): Buffer => Buffer.concat([
  number(1, 8),
  text(2, 'prnd-test'),
  message(7, ...parts, text(2, 'graph'), valueInfo(11, 'picture', input, isBytes ? UINT8 : isHalf ? FLOAT16 : FLOAT),
    ...Object.entries(others).map(([name, dims]) => valueInfo(11, name, dims, INT64)),
    ...Object.entries(outputs).map(([name, dims]) => valueInfo(12, name, dims, isHalf ? FLOAT16 : FLOAT))),
  message(8, text(1, ''), number(2, 13)),
  ...Object.entries(metadata).map(([key, value]) => message(14, text(1, key), text(2, value)))
])

const SIDE = 64
const GRID = 4
const CELL = SIDE / GRID
/** Sees a failure in every sixteenth of the picture that is red; as Obico's network answers. */
export const detectionNetwork = (metadata: Record<string, string> = {}): Buffer => {
  const corners = Array.from({ length: GRID * GRID }, (_, at) => {
    const [x, y] = [at % GRID / GRID, Math.floor(at / GRID) / GRID]
    return [x, y, x + 1 / GRID, y + 1 / GRID]
  }).flat()
  return networkOf({
    input: [1, 3, SIDE, SIDE],
    outputs: { boxes: [1, GRID * GRID, 1, 4], confs: [1, GRID * GRID, 1] },
    metadata,
    parts: [
      weights('redness', [1, 3, 1, 1], [1, -0.5, -0.5]),
      weights('corners', [1, GRID * GRID, 1, 4], corners),
      shape('list', [1, GRID * GRID, 1]),
      node('Conv', ['picture', 'redness'], 'red'),
      node('Relu', ['red'], 'positive'),
      node('AveragePool', ['positive'], 'cells', { kernel_shape: [CELL, CELL], strides: [CELL, CELL] }),
      node('Identity', ['corners'], 'boxes'),
      node('Reshape', ['cells', 'list'], 'confs')
    ]
  })
}

const PLACES = GRID * GRID
const places = <T>(one: (column: number, row: number) => T): T[] =>
  Array.from({ length: PLACES }, (_, at) => one(at % GRID, Math.floor(at / GRID)))

export interface YoloNetwork {
  readonly format: 'yolov8' | 'yolov5' | 'final'
  readonly isHalf?: boolean
  /** The picture is bytes of 0 to 255. */
  readonly isBytes?: boolean
  /** Channels last. */
  readonly isLast?: boolean
  /** Sizes are left open in the file. */
  readonly isOpen?: boolean
  readonly metadata?: Readonly<Record<string, string>>
}

/** Numbers of each place, as the format orders them; the second label is never found. */
function tableOf (format: YoloNetwork['format']): readonly Buffer[] {
  const middles = places((x, y) => [(x + 0.5) * CELL, (y + 0.5) * CELL, CELL, CELL])
  const edges = places((x, y) => [x * CELL, y * CELL, (x + 1) * CELL, (y + 1) * CELL])
  const list = (name: string, width: number, values: number[]) => weights(name, [1, PLACES, width], values)
  if (format === 'yolov8') {
    return [
      weights('boxes', [1, 4, PLACES], [0, 1, 2, 3].flatMap(row => middles.map(box => box[row] ?? 0))),
      weights('other', [1, 1, PLACES], new Float32Array(PLACES)),
      shape('list', [1, 1, PLACES]),
      node('Concat', ['boxes', 'certainty', 'other'], 'table', { axis: 1 })
    ]
  }
  const isFinal = format === 'final'
  return [
    list('boxes', 4, (isFinal ? edges : middles).flat()),
    isFinal ? list('labels', 1, places(() => 0)) : list('labels', 2, places(() => [1, 0]).flat()),
    shape('list', [1, PLACES, 1]),
    node('Concat', ['boxes', 'certainty', 'labels'], 'table', { axis: 2 })
  ]
}

const DIMS_OF = { yolov8: [1, 6, PLACES], yolov5: [1, PLACES, 7], final: [1, PLACES, 6] } as const
/** The same as an export of YOLO with two labels, of which the first is for red. */
export function yoloNetwork (options: YoloNetwork): Buffer {
  const { format, isHalf = false, isBytes = false, isLast = false, isOpen = false, metadata = {} } = options
  const one = isBytes ? 1 / 255 : 1
  return networkOf({
    input: isOpen ? ['batch', 3, 'height', 'width'] : isLast ? [1, SIDE, SIDE, 3] : [1, 3, SIDE, SIDE],
    outputs: { output0: isOpen ? ['batch', 'places', 'numbers'] : DIMS_OF[format] },
    isHalf,
    isBytes,
    metadata,
    parts: [
      node('Cast', ['picture'], 'full', { to: FLOAT }),
      isLast ? node('Transpose', ['full'], 'planes', { perm: [0, 3, 1, 2] }) : node('Identity', ['full'], 'planes'),
      weights('redness', [1, 3, 1, 1], [one, -one / 2, -one / 2]),
      node('Conv', ['planes', 'redness'], 'red'),
      node('Relu', ['red'], 'positive'),
      node('AveragePool', ['positive'], 'cells', { kernel_shape: [CELL, CELL], strides: [CELL, CELL] }),
      node('Reshape', ['cells', 'list'], 'certainty'),
      ...tableOf(format),
      node('Cast', ['table'], 'output0', { to: isHalf ? FLOAT16 : FLOAT })
    ]
  })
}

/** An answer that does not depend on the picture. */
const constant = (name: string, dims: readonly number[]): readonly Buffer[] => {
  const zeros = new Float32Array(dims.reduce((all, dim) => all * dim, 1))
  return [weights(`of ${name}`, dims, zeros), node('Identity', [`of ${name}`], name)]
}

type Answers = Readonly<Record<string, readonly number[]>>
const answering = (outputs: Answers, more: Partial<Network> = {}): Buffer => {
  const parts = Object.entries(outputs).flatMap(([name, dims]) => constant(name, dims))
  return networkOf({ input: [1, 3, SIDE, SIDE], outputs, parts, ...more })
}

/** YOLOv7 with two labels, as its own program exports it: the three grids, or the boxes with the picture's number. */
export const yoloSevenNetworks = (): Readonly<Record<'grids' | 'boxes', Buffer>> => ({
  grids: answering({ large: [1, 3, 8, 8, 7], middle: [1, 3, 4, 4, 7], small: [1, 3, 2, 2, 7] }),
  boxes: answering({ output: [5, 7] })
})

/** RT-DETR with two labels, as its own program exports it, and as Ultralytics does. */
export const detrNetworks = (): Readonly<Record<'original' | 'ultralytics', Buffer>> => ({
  original: answering({ labels: [1, 300], boxes: [1, 300, 4], scores: [1, 300] },
    { others: { orig_target_sizes: [1, 2] } }),
  ultralytics: answering({ output0: [1, 300, 6] }, {
    metadata: { description: 'Ultralytics RT-DETR-l model', names: "{0: 'spaghetti', 1: 'part'}", stride: '32' }
  })
})

/** The mean colour as an embedding. */
export const embeddingNetwork = (): Buffer => networkOf({
  input: [1, 3, 32, 32],
  outputs: { embedding: [1, 3] },
  parts: [node('GlobalAveragePool', ['picture'], 'mean'), node('Flatten', ['mean'], 'embedding')]
})

/** Tells dark pictures from bright ones. */
export const classifierNetwork = (): Buffer => networkOf({
  input: [1, 3, 32, 32],
  outputs: { chances: [1, 2] },
  parts: [
    weights('factors', [3, 2], [-10, 10, -10, 10, -10, 10]),
    weights('offset', [2], [15, -15]),
    node('GlobalAveragePool', ['picture'], 'mean'),
    node('Flatten', ['mean'], 'flat'),
    node('Gemm', ['flat', 'factors', 'offset'], 'logits'),
    node('Softmax', ['logits'], 'chances')
  ]
})

/** Channels of each layer; 0 halves the picture. */
const LAYERS = [32, 0, 64, 0, 128, 64, 128, 0, 256, 128, 256, 0, 512, 256, 512, 256, 512, 0,
  1024, 512, 1024, 512, 1024, 1024, 1024]
/** As much to compute as in Obico's network: the layers of YOLOv2 on 416 by 416, with weights that mean nothing. */
export function largeNetwork (): Buffer {
  const parts: Buffer[] = []
  let [channels, last, small] = [3, 'picture', false]
  for (const [at, wanted] of LAYERS.entries()) {
    const name = `layer${at}`
    if (wanted === 0) {
      parts.push(node('MaxPool', [last], name, { kernel_shape: [2, 2], strides: [2, 2] }))
      small = false
    } else {
      const side = small && wanted < channels ? 1 : 3
      const inside = channels * side * side
      const values = new Float32Array(wanted * inside).map((_, index) => Math.sin(index) / Math.sqrt(inside))
      const around = (side - 1) / 2
      parts.push(weights(`weights${at}`, [wanted, channels, side, side], values),
        node('Conv', [last, `weights${at}`], `sum${at}`,
          { kernel_shape: [side, side], pads: [around, around, around, around] }),
        node('Relu', [`sum${at}`], name))
      channels = wanted
      small = true
    }
    last = name
  }
  parts.push(weights('last', [30, channels, 1, 1], new Float32Array(30 * channels)), node('Conv', [last, 'last'], 'found'))
  return networkOf({ input: [1, 3, 416, 416], outputs: { found: [1, 30, 13, 13] }, parts })
}
