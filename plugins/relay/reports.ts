import type { PrinterSession } from '../../core/index.js'
import type { ClientRequest } from './requests.js'

/** Indentation used by some families, which slicers expect. */
const INDENT = 4

/** A message in the format of the printer's family. */
export const answer = (document: object, isIndented: boolean): Buffer =>
  Buffer.from(JSON.stringify(document, undefined, isIndented ? INDENT : undefined))

/** Whether a printer indents its messages. */
export const looksIndented = (payload: Uint8Array): boolean => payload[1] === 0x0A

/** The full state as one report, like the answer to `pushall`. */
export const fullReport = ({ raw }: PrinterSession, sequenceId: unknown, isIndented: boolean): Buffer =>
  answer({ print: { ...raw, command: 'push_status', msg: 0, sequence_id: sequenceId ?? '0' } }, isIndented)

function reply ({ command, sequenceId }: ClientRequest, outcome: object, isIndented: boolean): Buffer {
  const { section, ...fields } = command
  const id = sequenceId === undefined ? {} : { sequence_id: sequenceId }
  return answer({ [section]: { ...fields, ...id, ...outcome } }, isIndented)
}

/** A printer's reply to a command that it refuses. */
export const refusal = (request: ClientRequest, reason: string, isIndented: boolean): Buffer =>
  reply(request, { result: 'failed', reason }, isIndented)

/** A printer's reply to a command that it carries out. */
export const acceptance = (request: ClientRequest, isIndented: boolean): Buffer =>
  reply(request, { result: 'success', reason: 'success' }, isIndented)

const ID = /("sequence_id"\s*:\s*)("(?:[^"\\]|\\.)*"|-?[\d.]+)/

/** The sequence id of a message, if any. */
export const sequenceIdOf = (payload: Uint8Array): string | undefined =>
  ID.exec(Buffer.from(payload).toString('utf8'))?.[2]?.replaceAll('"', '')

/** Replaces the sequence id; everything else stays the same. */
export const withSequenceId = (payload: Uint8Array, id: unknown): Buffer =>
  Buffer.from(Buffer.from(payload).toString('utf8').replace(ID, (_, key: string) => key + JSON.stringify(id ?? '0')))

/** Masks the printer's own access code, as in the answer to `get_access_code`; other messages stay unchanged. */
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
