import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { gzipSync } from 'node:zlib'
import { isBlocked, isServiceError, sentenceOf, type ServiceError } from '../../core/index.js'
import type { ServedTool } from './catalogue.js'
import { messageOf } from './error-text.js'

type Redact = (text: string) => string

const asText = (text: string, redact: Redact, extra: Partial<CallToolResult> = {}): CallToolResult => {
  const safe = redact(text)
  return { content: [{ type: 'text', text: safe }], structuredContent: { result: safe }, ...extra }
}

function asObject (value: object, redact: Redact, extra: Partial<CallToolResult> = {}, pack = false): CallToolResult {
  const safe = redact(JSON.stringify(value))
  const text = pack ? packed(safe) : safe
  const parsed = JSON.parse(text) as object
  const structured = Array.isArray(parsed) ? { result: parsed } : { ...parsed }
  return { content: [{ type: 'text', text }], structuredContent: structured, ...extra }
}

const UNCONFIRMED = 'confirmed: false. The command was sent, but the printer has not answered; read its state to see ' +
  'what came of it.'

/** What is said of an act beside its answer. */
export interface Aside {
  /** Only there when the printer never answered its command. */
  readonly confirmed?: false
  /** What the caller should know although it is a success. */
  readonly note?: string
}

/** An answer in words is known by them: what else there is to say follows in a block of its own. */
function withAside ({ content, structuredContent }: CallToolResult, aside: Aside, redact: Redact): CallToolResult {
  const { confirmed, note } = aside
  const said = [...(confirmed === false ? [UNCONFIRMED] : []), ...(note === undefined ? [] : [redact(note)])]
  return {
    content: [...content, ...said.map(text => ({ type: 'text' as const, text }))],
    structuredContent: { ...structuredContent, ...aside }
  }
}

/** The answer of a tool that did what it was asked. */
export function renderResult (value: unknown, { face }: ServedTool, envelope: boolean, redact: Redact,
  aside: Aside = {}): CallToolResult {
  const isPlain = Object.keys(aside).length === 0
  if (face.returns === 'text') {
    const said = asText(String(value), redact)
    return isPlain ? said : withAside(said, aside, redact)
  }
  const whole = isPlain ? value as object : { ...value as object, ...aside }
  return asObject(whole, redact, {}, face.envelope && envelope)
}

const FAILED: Partial<CallToolResult> = { isError: true }

/** A failure in the tool's own shape: a text, an object with `error`, or a list holding that object. */
function asFailure (text: string, body: object, { face }: ServedTool, redact: Redact): CallToolResult {
  if (face.returns === 'text') return asText(text, redact, FAILED)
  return asObject(face.returns === 'list' ? [body] : body, redact, FAILED)
}

export const renderRefusedPermission = (tool: ServedTool, redact: Redact): CallToolResult => {
  const { consequence = '' } = tool.face.operation
  const text = `Error: user_permission must be True to perform this action. ${consequence}`
  return asFailure(text, { error: text }, tool, redact)
}

/** Arguments that do not fit the schema. */
export const renderBadArguments = (problem: string, tool: ServedTool, redact: Redact): CallToolResult =>
  asFailure(`Error: ${problem}`, { error: problem }, tool, redact)

export function renderFailure (error: unknown, tool: ServedTool, printer: string, redact: Redact): CallToolResult {
  const hasWords = isServiceError(error) && (error.statusCode < 500 || 'error' in error.extra)
  if (hasWords) return renderServiceError(error, tool, printer, redact)
  const doing = (tool.face.doing ?? `running ${tool.face.name} on <name>`).replace('<name>', () => `'${printer}'`)
  const text = `Error ${doing}: ${messageOf(error)}`
  return asFailure(text, { error: text }, tool, redact)
}

function renderServiceError (error: ServiceError, tool: ServedTool, printer: string, redact: Redact): CallToolResult {
  const message = sentenceOf(error, tool.face.name)
  if (tool.face.errors === 'coded') return renderCoded(error, message, tool, redact)
  if (error.code === 'PRN_ERR_NOT_CONNECTED') return renderAbsence(error, tool, printer, redact)
  const text = isBlocked(error) ? message : `Error: ${message}`
  return asFailure(text, { error: message, ...error.extra }, tool, redact)
}

/** The sentence is promised as it is: why there is no connection stands beside it. */
function renderAbsence ({ extra }: ServiceError, tool: ServedTool, printer: string, redact: Redact): CallToolResult {
  const text = `Printer '${printer}' not connected`
  const body = { error: text, ...extra }
  if (tool.face.absent === 'object') return asObject(body, redact, FAILED)
  const failure = asFailure(`Error: ${text}.`, body, tool, redact)
  if (tool.face.returns !== 'text' || typeof extra.detail !== 'string') return failure
  return { ...failure, content: [...failure.content, { type: 'text', text: redact(extra.detail) }] }
}

/** The code says what kind of failure it is, `detail` says it in words. */
const renderCoded = (error: ServiceError, message: string, tool: ServedTool, redact: Redact): CallToolResult =>
  asFailure(`Error: ${message}`, { error: error.slug, detail: message, ...error.extra }, tool, redact)

/** Longer JSON is packed. Source: tool interface, common rule 7. */
const ENVELOPE_OVER_CHARS = 300

/**
 * Packs a large result as gzip and base64; smaller ones stay as they are.
 * @param json with every secret masked: once it is packed none can be found
 */
function packed (json: string): string {
  if (json.length <= ENVELOPE_OVER_CHARS) return json
  const original = Buffer.from(json)
  const compressed = gzipSync(original)
  return JSON.stringify({
    compressed: true,
    encoding: 'gzip+base64',
    original_size_bytes: original.length,
    compressed_size_bytes: compressed.length,
    data: compressed.toString('base64')
  })
}
