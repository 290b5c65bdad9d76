import { isReply } from './command.js'
import type { Raw } from '../state/raw.js'

/** A top-level section of a message on the report topic, with its kind. */
export type ReportSection =
  | { readonly kind: 'status' | 'modules' | 'reply' | 'other', readonly section: string, readonly body: Raw }

/** Why a payload could not be used. */
export type BadPayload = 'too large' | 'not JSON' | 'not an object'

const MAX_PAYLOAD_BYTES = 1024 * 1024

const isFields = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses one payload. Trailing NULs, as slicers send them, are tolerated. */
export function parseMessage (payload: Uint8Array): readonly ReportSection[] | BadPayload {
  if (payload.length > MAX_PAYLOAD_BYTES) return 'too large'
  let document: unknown
  try {
    document = JSON.parse(withoutPadding(payload).toString())
  } catch {
    return 'not JSON'
  }
  if (!isFields(document)) return 'not an object'
  return Object.entries(document)
    .filter((entry): entry is [string, Raw] => isFields(entry[1]))
    .map(([section, body]) => ({ kind: kindOf(section, body), section, body }))
}

const SPACE = 0x20

/** Trims NULs and white space at the end byte by byte: a regular expression would be quadratic on long runs. */
function withoutPadding (payload: Uint8Array): Buffer {
  let end = payload.length
  while (end > 0 && (payload[end - 1] ?? 0) <= SPACE) end--
  return Buffer.from(payload.buffer, payload.byteOffset, end)
}

/** A `print` section without a command name is a status report; replies are similar but have one. */
function kindOf (section: string, body: Raw): ReportSection['kind'] {
  if (section === 'print' && (body.command === undefined || body.command === 'push_status')) return 'status'
  if (section === 'info' && body.command === 'get_version' && Array.isArray(body.module)) return 'modules'
  return isReply(section, body) ? 'reply' : 'other'
}
