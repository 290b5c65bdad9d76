import type { CallToolResult, ImageContent } from '@modelcontextprotocol/sdk/types.js'
import { gzipSync } from 'node:zlib'
import { isBlocked, isServiceError, pagesOf, sentenceOf, type ServiceError } from '../../core/index.js'
import type { ServedTool } from './served-tools.js'
import { DECLINED, NO_PERMISSION } from './consent.js'
import { errorText } from './error-text.js'
import { asBlock, LONG_SIDE, pictureOf, picturesIn, withPictures, withShrunk, type ToolPicture } from './pictures.js'

type Redact = (text: string) => string

const asText = (text: string, redact: Redact, extra: Partial<CallToolResult> = {}): CallToolResult => {
  const safe = redact(text)
  return { content: [{ type: 'text', text: safe }], structuredContent: { result: safe }, ...extra }
}

function asObject (value: object, redact: Redact, extra: Partial<CallToolResult> = {}): CallToolResult {
  const text = redact(JSON.stringify(value))
  return { content: [{ type: 'text', text }], structuredContent: structureOf(JSON.parse(text) as object), ...extra }
}

const UNCONFIRMED = 'confirmed: false. The command was sent, but the printer has not answered; read its state to see ' +
  'what came of it.'

/** Remarks about an action, in addition to its answer. */
export interface Aside {
  /** Present only if the printer never acknowledged the command. */
  readonly confirmed?: false
  /** A remark on a successful action. */
  readonly note?: string
}

/** The text of an answer stays exactly as it is; remarks follow in blocks of their own. */
function withAside ({ content, structuredContent }: CallToolResult, aside: Aside, redact: Redact): CallToolResult {
  const { confirmed, note } = aside
  const said = [...(confirmed === false ? [UNCONFIRMED] : []), ...(note === undefined ? [] : [redact(note)])]
  return {
    content: [...content, ...said.map(text => ({ type: 'text' as const, text }))],
    structuredContent: { ...structuredContent, ...aside }
  }
}

export interface Showing {
  /** Compress what does not fit. */
  readonly envelope: boolean
  /** The client was listed output schemas: the structured content is always there, and whole. */
  readonly listsSchemas: boolean
  /** Compares structured content with the tool's schema. */
  readonly check: (structure: object) => void
  readonly redact: Redact
  readonly aside?: Aside
  /** In addition to those in the answer. */
  readonly pictures?: readonly ToolPicture[]
  /** Longest side of pictures, px; 0 for none. */
  readonly longSide?: number | undefined
  /** Where the requested page of a list begins. */
  readonly cursor?: string | undefined
  /** A short form of the text, if there is one. */
  readonly brief?: string | undefined
  /** The caller asked for full-size pictures or the complete text. */
  readonly isFull?: boolean
}

/** The result of a successful call. */
export async function renderResult (value: unknown, tool: ServedTool, showing: Showing): Promise<CallToolResult> {
  const { aside = {}, redact } = showing
  const isPlain = Object.keys(aside).length === 0
  if (tool.binding.returns === 'text') {
    const said = await fittingText(String(value), tool, showing)
    return isPlain ? said : withAside(said, aside, redact)
  }
  const reported = isPlain ? value as object : { ...value as object, ...aside }
  const { pages } = tool.binding
  if (pages === undefined || !showing.envelope) return await fittingObject(reported, tool, showing)
  const cut = typeof pages === 'string' ? pagesOf(pages) : pages
  return await fittingObject(cut(reported, showing.cursor, PAGE_CHARS), tool, showing)
}

/** Limit for text and structure together: more burdens an agent and is cut off by some hosts. */
export const MOST_CHARS = 25_000

/** Limit for one page of an answer, since text and structure both hold it. */
export const PAGE_CHARS = MOST_CHARS / 2

/**
 * Longer answers are sent once, because many hosts pass both to the agent: as text, or to a client that was listed
 * output schemas as structured content.
 */
const MOST_TWICE_CHARS = 4_000

/** Limit of picture blocks in one answer. */
const MOST_PICTURES = 6

const structureOf = (value: object): Record<string, unknown> => Array.isArray(value) ? { result: value } : { ...value }

const lengthOf = (text: string, structure: object): number => text.length + JSON.stringify(structure).length

const inStructure = (text: string, structure: object): string =>
  `The answer is the structured content: ${text.length} characters in ${Object.keys(structure).join(', ')}.`

/** What is longer than it should be said twice is said in one place. */
function saidOnce (text: string, structure: Record<string, unknown>, { listsSchemas }: Showing): CallToolResult {
  if (text.length <= MOST_TWICE_CHARS) return { content: [{ type: 'text', text }], structuredContent: structure }
  return listsSchemas
    ? { content: [{ type: 'text', text: inStructure(text, structure) }], structuredContent: structure }
    : { content: [{ type: 'text', text }] }
}

async function fittingText (text: string, tool: ServedTool, showing: Showing): Promise<CallToolResult> {
  const { redact, envelope, brief, isFull = false } = showing
  const safe = redact(text)
  if (!envelope) return asText(safe, redact)
  const isLong = safe.length > MOST_CHARS
  const said = !isLong ? safe : brief !== undefined && !isFull ? redact(brief) : JSON.stringify(packed(safe, tool))
  return saidOnce(said, { result: said }, showing)
}

/**
 * Pictures become image blocks: the text refers to them, and the structure contains them scaled down until they fit.
 * An answer that is too long even without pictures is compressed.
 */
async function fittingObject (value: object, tool: ServedTool, showing: Showing): Promise<CallToolResult> {
  const { redact, envelope, listsSchemas, check, longSide = LONG_SIDE, isFull = false, pictures = [] } = showing
  const safe = redact(JSON.stringify(value))
  const unshown = JSON.parse(safe) as object
  const isBare = longSide === 0 && tool.binding.shows === 'sized'
  const whole = isBare ? withPictures(unshown, () => 'left out, as image_px is 0') as object : unshown
  const found = tool.binding.shows === undefined || isBare ? [] : picturesIn(whole)
  const shown = [...pictures, ...found.map(pictureOf)].slice(0, MOST_PICTURES)
  const blocks = longSide === 0 ? [] : await blocksOf(shown, longSide)
  const named = (uri: string) => nameOf(found, uri, pictures.length)
  const text = found.length === 0 ? (isBare ? JSON.stringify(whole) : safe) : JSON.stringify(withPictures(whole, named))
  const structure = structureOf(isFull ? whole : await withSmallPictures(whole, text.length, found))
  check(structure)
  const withBlocks = (said: CallToolResult): CallToolResult => ({ ...said, content: [...said.content, ...blocks] })
  if (listsSchemas) return withBlocks(saidOnce(text, structure, showing))
  if (envelope && !isFull && lengthOf(text, structure) > MOST_CHARS) {
    const shortened = found.length === 0 && text.length <= MOST_CHARS ? text : JSON.stringify(packed(safe, tool))
    return withBlocks({ content: [{ type: 'text', text: shortened }] })
  }
  const isRead = tool.binding.structured === true || isFull || found.length > 0
  if (envelope && !isRead) return withBlocks(saidOnce(text, structure, showing))
  return withBlocks({ content: [{ type: 'text', text }], structuredContent: structure })
}

/** Pictures that cannot be decoded are left out. */
const blocksOf = async (pictures: readonly ToolPicture[], longSide: number): Promise<ImageContent[]> =>
  (await Promise.all(pictures.map(picture => asBlock(picture, longSide).catch(() => [])))).flat()

const nameOf = (found: readonly string[], uri: string, before: number): string =>
  `picture ${found.indexOf(uri) + before + 1} of this answer`

/** @param spent characters used by the text */
async function withSmallPictures (whole: object, spent: number, found: readonly string[]): Promise<object> {
  const without = JSON.stringify(withPictures(whole, () => '')).length
  const share = Math.floor((MOST_CHARS - spent - without) / found.length)
  if (found.length === 0 || found.every(uri => uri.length <= share)) return whole
  return await withShrunk(whole, found, share) as object
}

const FAILED: Partial<CallToolResult> = { isError: true }

/** A failure in the tool's own shape: text, an object with `error`, or a list with that object. */
function asFailure (text: string, body: object, { binding }: ServedTool, redact: Redact): CallToolResult {
  if (binding.returns === 'text') return asText(text, redact, FAILED)
  return asObject(binding.returns === 'list' ? [body] : body, redact, FAILED)
}

function renderNotAllowed (why: string, tool: ServedTool, redact: Redact): CallToolResult {
  const { consequence = '' } = tool.binding.operation
  const text = `${why} ${consequence}`
  return asFailure(text, { error: text }, tool, redact)
}

export const renderRefusedPermission = (tool: ServedTool, redact: Redact): CallToolResult =>
  renderNotAllowed(NO_PERMISSION, tool, redact)

export const renderDeclined = (tool: ServedTool, redact: Redact): CallToolResult =>
  renderNotAllowed(DECLINED, tool, redact)

export const renderBadArguments = (problem: string, tool: ServedTool, redact: Redact): CallToolResult =>
  asFailure(`Error: ${problem}`, { error: problem }, tool, redact)

export function renderFailure (error: unknown, tool: ServedTool, printer: string, redact: Redact): CallToolResult {
  const hasWords = isServiceError(error) && (error.statusCode < 500 || 'error' in error.extra)
  if (hasWords) return renderServiceError(error, tool, printer, redact)
  const doing = (tool.binding.doing ?? `running ${tool.binding.name} on <name>`).replace('<name>', () => `'${printer}'`)
  const text = `Error ${doing}: ${errorText(error)}`
  return asFailure(text, { error: text }, tool, redact)
}

/** Shared messages name both the route and the tool; agents only need the tool. */
const forAgents = (sentence: string): string =>
  sentence.replaceAll(/\((?:GET|POST|PATCH|DELETE) \/api\/\w+, tool (\w+)\)/g, '($1)')

function renderServiceError (error: ServiceError, tool: ServedTool, printer: string, redact: Redact): CallToolResult {
  const message = forAgents(sentenceOf(error, tool.binding.name))
  if (tool.binding.errors === 'coded') return renderCoded(error, message, tool, redact)
  if (error.code === 'PRN_ERR_NOT_CONNECTED') return renderAbsence(error, tool, printer, redact)
  const text = isBlocked(error) ? message : `Error: ${message}`
  return asFailure(text, { error: message, ...error.extra }, tool, redact)
}

/** Clients rely on this exact sentence, so the reason is added separately. */
function renderAbsence ({ extra }: ServiceError, tool: ServedTool, printer: string, redact: Redact): CallToolResult {
  const text = `Printer '${printer}' not connected`
  const body = { error: text, ...extra }
  if (tool.binding.absent === 'object') return asObject(body, redact, FAILED)
  const failure = asFailure(`Error: ${text}.`, body, tool, redact)
  if (tool.binding.returns !== 'text' || typeof extra.detail !== 'string') return failure
  return { ...failure, content: [...failure.content, { type: 'text', text: redact(extra.detail) }] }
}

/** `error` is the kind of failure, `detail` the message. */
const renderCoded = (error: ServiceError, message: string, tool: ServedTool, redact: Redact): CallToolResult =>
  asFailure(`Error: ${message}`, { error: error.slug, detail: message, ...error.extra }, tool, redact)

/**
 * Compresses an answer that is too long, so that nothing is lost. The hint comes before the data, because few readers
 * get past it.
 * @param text with every secret masked, which is impossible after compression
 */
function packed (text: string, { binding: { less } }: ServedTool) {
  const original = Buffer.from(text)
  const compressed = gzipSync(original)
  const advice = less === undefined ? '' : `; ask for ${less} to get less`
  return {
    compressed: true,
    hint: `${original.length} bytes would not fit as plain text${advice}`,
    encoding: 'gzip+base64',
    original_size_bytes: original.length,
    compressed_size_bytes: compressed.length,
    data: compressed.toString('base64')
  }
}
