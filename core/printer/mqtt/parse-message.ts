import { isReply } from './command.js'
import type { Raw } from '../state/read.js'

/** One section of a message on the report topic, told apart by what it is. */
export type ReportSection =
  | { readonly kind: 'status' | 'modules' | 'reply' | 'other', readonly section: string, readonly body: Raw }

/** Why a payload could not be used. */
export type BadPayload = 'too large' | 'not JSON' | 'not an object'

const MAX_PAYLOAD_BYTES = 1024 * 1024

const isFields = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads one payload. Slicers end theirs with NUL, which is tolerated. */
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

/** Cuts NULs and white space off the end, byte by byte: a pattern would take for ever over a long run of them. */
function withoutPadding (payload: Uint8Array): Buffer {
  let end = payload.length
  while (end > 0 && (payload[end - 1] ?? 0) <= SPACE) end--
  return Buffer.from(payload.buffer, payload.byteOffset, end)
}

/** A `print` section without a command is a status; an answer is none, though it looks alike. */
function kindOf (section: string, body: Raw): ReportSection['kind'] {
  if (section === 'print' && (body.command === undefined || body.command === 'push_status')) return 'status'
  if (section === 'info' && body.command === 'get_version' && Array.isArray(body.module)) return 'modules'
  return isReply(section, body) ? 'reply' : 'other'
}
