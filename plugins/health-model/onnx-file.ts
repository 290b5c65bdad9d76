/** Producer and metadata of an ONNX file (protocol buffers, message ModelProto). */
export interface OnnxFacts {
  readonly producer: string
  readonly metadata: Readonly<Record<string, string>>
}

/** Field numbers in ModelProto and StringStringEntryProto. */
const PRODUCER = 2
const GRAPH = 7
const METADATA = 14
const KEY = 1
const VALUE = 2
const LONGEST = 10_000
const MOST_FIELDS = 1_000

interface Field { readonly number: number, readonly bytes: Uint8Array }

/** @throws for bytes that are no protocol buffer */
function * fieldsOf (bytes: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 63; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined) break
      value += (byte & 0x7F) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw new Error('This is no ONNX file')
  }
  const sizeOf = (type: number): number => {
    if (type === 2) return varint()
    if (type === 1) return 8
    if (type === 5) return 4
    throw new Error('This is no ONNX file')
  }
  while (at < bytes.length) {
    const tag = varint()
    const type = tag & 7
    const from = at
    const size = type === 0 ? (varint(), at - from) : sizeOf(type)
    const begin = type === 0 ? from : at
    if (begin + size > bytes.length) throw new Error('This ONNX file is cut off')
    yield { number: Math.floor(tag / 8), bytes: bytes.subarray(begin, begin + size) }
    at = begin + size
  }
}

type Part = 'graph' | 'node' | 'attribute' | 'tensor'
/** Fields of GraphProto, NodeProto and AttributeProto that may contain tensors. */
const PARTS: Readonly<Record<Part, Readonly<Record<number, Part>>>> = {
  graph: { 1: 'node', 5: 'tensor' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph' },
  tensor: {}
}
/** Field of TensorProto: 1 when its data is in an external file. */
const LOCATION = 14
const MOST_LEVELS = 16

/** Whether a tensor refers to an external file, which could be at any path. */
function namesOtherFiles (part: Part, bytes: Uint8Array, levels = MOST_LEVELS): boolean {
  if (levels === 0) throw new Error('This ONNX file is nested too deep')
  for (const { number, bytes: content } of fieldsOf(bytes)) {
    if (part === 'tensor' && number === LOCATION && content[0] === 1) return true
    const inner = PARTS[part][number]
    if (inner !== undefined && namesOtherFiles(inner, content, levels - 1)) return true
  }
  return false
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, LONGEST)).toString('utf8')

/** @throws for bytes that are no ONNX file, or refer to external files */
export function onnxFacts (bytes: Uint8Array): OnnxFacts {
  const metadata: Record<string, string> = {}
  let producer = ''
  let hasGraph = false
  let count = 0
  for (const { number, bytes: content } of fieldsOf(bytes)) {
    if (++count > MOST_FIELDS) break
    if (number === PRODUCER) producer = textOf(content)
    if (number === GRAPH) hasGraph = true
    if (number === GRAPH && namesOtherFiles('graph', content)) {
      throw new Error('This network refers to other files: it must be in one file')
    }
    if (number !== METADATA) continue
    const entry = new Map([...fieldsOf(content)].map(field => [field.number, textOf(field.bytes)]))
    metadata[entry.get(KEY) ?? ''] = entry.get(VALUE) ?? ''
  }
  if (!hasGraph) throw new Error('This is no ONNX file')
  return { producer, metadata }
}

/** The licence in the metadata; most files have none. */
export const licenceIn = ({ metadata }: OnnxFacts): string | undefined =>
  Object.entries(metadata).find(([key]) => /^licen[cs]e$/i.test(key))?.[1]
