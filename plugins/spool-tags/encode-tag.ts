import { encodeMemory, encodeNdef, mimeRecord, uriRecord, type NdefRecord } from './ndef.js'
import { encodeOpenPrintTag } from './open-print-tag.js'
import { encodeOpenSpool } from './open-spool.js'
import { encodeOpenTag3d } from './open-tag3d.js'
import { TAG_BYTES, TAG_FORMATS, type TagFormat } from './tag-formats.data.js'
import type { TagContent } from './types.js'

const ENCODERS: Readonly<Record<TagFormat, (content: TagContent) => Uint8Array>> = {
  openspool: encodeOpenSpool,
  opentag3d: encodeOpenTag3d,
  openprinttag: encodeOpenPrintTag
}

/** ICODE SLIX2: version, and the size in steps of eight bytes. */
const SLIX2_BYTES = 312
const SLIX2_CONTAINER = Uint8Array.of(0xe1, 0x40, SLIX2_BYTES / 8, 0x01)

/** What is written to a tag, in the ways that programs take it. */
export interface EncodedTag {
  readonly records: readonly NdefRecord[]
  readonly message: Uint8Array
  /** The memory of the tag from its first byte for users on. */
  readonly memory: Uint8Array
  /** Tags with enough memory. */
  readonly fits: readonly string[]
}

/**
 * Writes the records of a tag.
 * @param address of the spool's page: phones open it, and readers of printers skip it
 */
export function encodeTag (format: TagFormat, content: TagContent, address: string): EncodedTag {
  const { type = '' } = TAG_FORMATS.find(({ id }) => id === format) ?? {}
  const own = mimeRecord(type, ENCODERS[format](content))
  // The protocol of OpenSpool does not say that readers look beyond the first record.
  const records = format === 'openspool' ? [own, uriRecord(address)] : [uriRecord(address), own]
  const message = encodeNdef(records)
  const memory = encodeMemory(message, format === 'openprinttag' ? SLIX2_CONTAINER : undefined)
  const isFor = ({ name, bytes }: { readonly name: string, readonly bytes: number }) =>
    memory.length <= bytes && name.startsWith(format === 'openprinttag' ? 'ICODE' : 'NTAG')
  return { records, message, memory, fits: TAG_BYTES.filter(isFor).map(({ name }) => name) }
}
