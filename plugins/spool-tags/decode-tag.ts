import { addressOf, decodeNdef, messageIn, type NdefRecord } from './ndef.js'
import { decodeOpenPrintTag } from './open-print-tag.js'
import { decodeOpenSpool } from './open-spool.js'
import { decodeOpenTag3d } from './open-tag3d.js'
import { TAG_FORMATS, type TagFormat } from './tag-formats.data.js'
import type { DecodedTag } from './types.js'

const DECODERS: Readonly<Record<TagFormat, (payload: Uint8Array) => DecodedTag | undefined>> = {
  openspool: decodeOpenSpool,
  opentag3d: decodeOpenTag3d,
  openprinttag: decodeOpenPrintTag
}

/** A colon is written as `%3A` in addresses. */
const SPOOL_ADDRESS = /\/spools\/([\w-](?:[\w.:-]|%3[Aa]){0,63})$/

/** What was found on a tag. */
export interface TagReading {
  /** In the order of its records; empty when it has none of a known format. */
  readonly tags: readonly DecodedTag[]
  /** Id of a spool in an address on it; empty without one. */
  readonly addressed: string
  /** Kinds of its records, for a tag of which nothing is known. */
  readonly types: readonly string[]
}

function decodeRecord ({ kind, type, payload }: NdefRecord): DecodedTag[] {
  const format = kind === 'mime' ? TAG_FORMATS.find(one => one.type === type)?.id : undefined
  const decoded = format && DECODERS[format](payload)
  return decoded === undefined ? [] : [decoded]
}

/** Reads a dump of a tag, or the message on it. Never throws, whatever the bytes are. */
export function decodeTag (bytes: Uint8Array): TagReading {
  const records = decodeNdef(messageIn(bytes) ?? new Uint8Array())
  const addresses = records.filter(({ kind }) => kind === 'uri').map(addressOf)
  return {
    tags: records.flatMap(decodeRecord),
    addressed: addresses.map(address => (SPOOL_ADDRESS.exec(address)?.[1] ?? '').replaceAll(/%3a/gi, ':')).find(id => id !== '') ?? '',
    types: records.map(({ type }) => type.slice(0, 64))
  }
}
