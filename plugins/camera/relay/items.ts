import { Type } from 'typebox'
import { validationError } from '../../../core/index.js'

// Format of camera data between two services: each item follows the lengths of the whole and of its head.

const LENGTH_BYTES = 4
/** Larger than any picture of a printer's camera. */
const MOST_BYTES = 16 * 1024 ** 2
const MOST_PARTS = 4_096

/** Head of a video picture or of a JPEG. */
export const ItemHead = Type.Object({
  /** Lengths of the parts that follow, in order; with a format, its parameter sets come first. */
  parts: Type.Array(Type.Integer({ minimum: 0, maximum: MOST_BYTES }), { maxItems: MOST_PARTS }),
  key: Type.Optional(Type.Boolean()),
  /** 1/90,000 s. */
  time: Type.Optional(Type.Number()),
  /** Sent on a change: the first parts are the parameter sets that apply from here on. */
  format: Type.Optional(Type.Object({
    width: Type.Integer({ minimum: 1, maximum: 16_384 }),
    height: Type.Integer({ minimum: 1, maximum: 16_384 }),
    codec: Type.String({ maxLength: 40 }),
    sets: Type.Integer({ minimum: 1, maximum: 32 })
  }))
})
export interface ItemHead extends Type.Static<typeof ItemHead> {}

export interface Item { readonly head: ItemHead, readonly parts: readonly Buffer[] }

export function encodeItem (head: Omit<ItemHead, 'parts'>, parts: readonly Buffer[]): Buffer {
  const text = Buffer.from(JSON.stringify({ ...head, parts: parts.map(({ length }) => length) } satisfies ItemHead))
  const lengths = Buffer.alloc(2 * LENGTH_BYTES)
  lengths.writeUInt32BE(LENGTH_BYTES + text.length + parts.reduce((sum, { length }) => sum + length, 0))
  lengths.writeUInt32BE(text.length, LENGTH_BYTES)
  return Buffer.concat([lengths, text, ...parts])
}

/**
 * Parses chunks of any size.
 * @throws Error for anything but the output of `encodeItem`
 */
export function createItemParser (onItem: (item: Item) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = []
  let held = 0
  let wanted = LENGTH_BYTES
  return piece => {
    pieces.push(piece)
    held += piece.length
    while (held >= wanted) {
      const bytes = Buffer.concat(pieces)
      const length = bytes.readUInt32BE(0)
      if (length < LENGTH_BYTES || length > MOST_BYTES) throw new Error('the other service sends something else')
      const end = LENGTH_BYTES + length
      if (held >= end) onItem(itemIn(bytes.subarray(LENGTH_BYTES, end)))
      const rest = held >= end ? bytes.subarray(end) : bytes
      pieces = [rest]
      held = rest.length
      wanted = held >= end || held < LENGTH_BYTES ? LENGTH_BYTES : LENGTH_BYTES + rest.readUInt32BE(0)
    }
  }
}

function itemIn (bytes: Buffer): Item {
  const end = LENGTH_BYTES + bytes.readUInt32BE(0)
  const head = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)) as ItemHead
  const problem = validationError(ItemHead, head)
  if (problem !== undefined) throw new Error(`the other service sends something else: ${problem}`)
  let at = end
  const parts = head.parts.map(length => {
    at += length
    return bytes.subarray(at - length, at)
  })
  if (at !== bytes.length) throw new Error('the other service sends something else')
  return { head, parts }
}
