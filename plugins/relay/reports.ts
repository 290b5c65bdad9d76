import type { PrinterSession } from '../../core/index.js'
import type { Asked } from './requests.js'

/** Spaces per level that some families print, and that slicers look for. */
const INDENT = 4

/** A message in the spelling of the printer's family. */
export const answer = (document: object, isIndented: boolean): Buffer =>
  Buffer.from(JSON.stringify(document, undefined, isIndented ? INDENT : undefined))

/** Whether a printer breaks its messages into lines. */
export const looksIndented = (payload: Uint8Array): boolean => payload[1] === 0x0A

/** The whole state as one report, as the printer would answer `pushall`. */
export const fullReport = ({ raw }: PrinterSession, sequenceId: unknown, isIndented: boolean): Buffer =>
  answer({ print: { ...raw, command: 'push_status', msg: 0, sequence_id: sequenceId ?? '0' } }, isIndented)

function reply ({ command, sequenceId }: Asked, outcome: object, isIndented: boolean): Buffer {
  const { section, ...fields } = command
  const id = sequenceId === undefined ? {} : { sequence_id: sequenceId }
  return answer({ [section]: { ...fields, ...id, ...outcome } }, isIndented)
}

/** What a printer says that does not do a command. */
export const refusal = (asked: Asked, reason: string, isIndented: boolean): Buffer =>
  reply(asked, { result: 'failed', reason }, isIndented)

/** What a printer says that does a command. */
export const acceptance = (asked: Asked, isIndented: boolean): Buffer =>
  reply(asked, { result: 'success', reason: 'success' }, isIndented)

const ID = /("sequence_id"\s*:\s*)("(?:[^"\\]|\\.)*"|-?[\d.]+)/

/** The id of a message; undefined without one. */
export const sequenceIdOf = (payload: Uint8Array): string | undefined =>
  ID.exec(Buffer.from(payload).toString('utf8'))?.[2]?.replaceAll('"', '')

/** The same bytes with another sequence id. */
export const withSequenceId = (payload: Uint8Array, id: unknown): Buffer =>
  Buffer.from(Buffer.from(payload).toString('utf8').replace(ID, (_, key: string) => key + JSON.stringify(id ?? '0')))

/** Hides the printer's own access code, which is an answer to `get_access_code`; other messages stay as they are. */
export function withoutCode (payload: Uint8Array, accessCode: string): Uint8Array {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  const code = JSON.stringify(accessCode)
  if (accessCode === '' || !bytes.includes(code)) return bytes
  return Buffer.from(bytes.toString('utf8').replaceAll(code, JSON.stringify('*'.repeat(accessCode.length))))
}

export const isVersion = (payload: Uint8Array): boolean => {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  return bytes.includes('"get_version"') && bytes.includes('"module"')
}
