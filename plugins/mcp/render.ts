import type { CallToolResult, ImageContent } from '@modelcontextprotocol/sdk/types.js'
import { gzipSync } from 'node:zlib'
import { isBlocked, isServiceError, pagesOf, sentenceOf, type ServiceError } from '../../core/index.js'
import type { ServedTool } from './catalogue.js'
import { DECLINED, NO_PERMISSION } from './consent.js'
import { messageOf } from './error-text.js'
import { asBlock, LONG_SIDE, pictureOf, picturesIn, shrunk, withPictures, type ToolPicture } from './pictures.js'

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

/** How an answer is shown. */
export interface Showing {
  /** What does not fit is packed. */
  readonly envelope: boolean
  readonly redact: Redact
  readonly aside?: Aside
  /** Beside those of the answer. */
  readonly pictures?: readonly ToolPicture[]
  /** Of pictures, px; 0 for none. */
  readonly longSide?: number | undefined
  /** Where the part of a list begins that is wanted. */
  readonly cursor?: string | undefined
  /** A text in short, where it has such a form. */
  readonly brief?: string | undefined
  /** The caller asked for pictures in full size in the answer, or for the whole of a text. */
  readonly isFull?: boolean
}

/** The answer of a tool that did what it was asked. */
export async function renderResult (value: unknown, tool: ServedTool, showing: Showing): Promise<CallToolResult> {
  const { aside = {}, redact } = showing
  const isPlain = Object.keys(aside).length === 0
  if (tool.face.returns === 'text') {
    const said = await fittingText(String(value), tool, showing)
    return isPlain ? said : withAside(said, aside, redact)
  }
  const told = isPlain ? value as object : { ...value as object, ...aside }
  const { pages } = tool.face
  if (pages === undefined || !showing.envelope) return await fittingObject(told, tool, showing)
  const cut = typeof pages === 'string' ? pagesOf(pages) : pages
  return await fittingObject(cut(told, showing.cursor, PAGE_CHARS), tool, showing)
}

/** Text and structure of an answer together: more is a burden to an agent, and cut off by some hosts. */
export const MOST_CHARS = 25_000

/** Of an answer that comes in parts: text and structure hold the same. */
export const PAGE_CHARS = MOST_CHARS / 2

/** A list that is longer stands in the text alone: many hosts give an agent both, and it would be read twice. */
const MOST_TWICE_CHARS = 4_000

/** Of one kind of answer; more of them say no more. */
const MOST_PICTURES = 6

const structureOf = (value: object): Record<string, unknown> => Array.isArray(value) ? { result: value } : { ...value }

const lengthOf = (text: string, structure: object): number => text.length + JSON.stringify(structure).length

async function fittingText (text: string, tool: ServedTool, showing: Showing): Promise<CallToolResult> {
  const { redact, envelope, brief, isFull = false } = showing
  const said = asText(text, redact)
  const [block] = said.content
  const safe = block?.type === 'text' ? block.text : ''
  if (!envelope || 2 * safe.length <= MOST_CHARS) return said
  if (safe.length <= MOST_CHARS) return { content: said.content }
  if (brief !== undefined && !isFull) return asText(brief, redact)
  return { content: [{ type: 'text', text: JSON.stringify(packed(safe, tool)) }] }
}

/**
 * Pictures of an answer are shown as pictures: the text names them, and the structure has them as far as they fit.
 * What does not fit without them is packed.
 */
async function fittingObject (value: object, tool: ServedTool, showing: Showing): Promise<CallToolResult> {
  const { redact, envelope, longSide = LONG_SIDE, isFull = false, pictures = [] } = showing
  const safe = redact(JSON.stringify(value))
  const unshown = JSON.parse(safe) as object
  const isBare = longSide === 0 && tool.face.shows === 'sized'
  const whole = isBare ? withPictures(unshown, () => 'left out, as image_px is 0') as object : unshown
  const found = tool.face.shows === undefined || isBare ? [] : picturesIn(whole)
  const shown = [...pictures, ...found.map(pictureOf)].slice(0, MOST_PICTURES)
  const blocks = longSide === 0 ? [] : await blocksOf(shown, longSide)
  const named = (uri: string) => nameOf(found, uri, pictures.length)
  const text = found.length === 0 ? (isBare ? JSON.stringify(whole) : safe) : JSON.stringify(withPictures(whole, named))
  const structure = isFull ? whole : await withSmallPictures(whole, text.length, found)
  if (envelope && !isFull && lengthOf(text, structureOf(structure)) > MOST_CHARS) {
    const told = found.length === 0 && text.length <= MOST_CHARS ? text : JSON.stringify(packed(safe, tool))
    return { content: [{ type: 'text', text: told }, ...blocks] }
  }
  const isTextAlone = envelope && isList(tool) && text.length > MOST_TWICE_CHARS
  return {
    content: [{ type: 'text', text }, ...blocks],
    ...(!isTextAlone && { structuredContent: structureOf(structure) })
  }
}

const isList = ({ face: { pages, limited, structured } }: ServedTool): boolean =>
  structured !== true && (pages !== undefined || limited !== undefined)

/** One that cannot be decoded is left out. */
const blocksOf = async (pictures: readonly ToolPicture[], longSide: number): Promise<ImageContent[]> =>
  (await Promise.all(pictures.map(picture => asBlock(picture, longSide).catch(() => [])))).flat()

const nameOf = (found: readonly string[], uri: string, before: number): string =>
  `picture ${found.indexOf(uri) + before + 1} of this answer`

/** @param spent characters that the text takes */
async function withSmallPictures (whole: object, spent: number, found: readonly string[]): Promise<object> {
  const without = JSON.stringify(withPictures(whole, () => '')).length
  const share = Math.floor((MOST_CHARS - spent - without) / found.length)
  if (found.length === 0 || found.every(uri => uri.length <= share)) return whole
  const smaller = new Map(await Promise.all(found.map(async uri =>
    [uri, await shrunk(uri, share).catch(() => '')] as const)))
  return withPictures(whole, uri => smaller.get(uri) ?? uri) as object
}

const FAILED: Partial<CallToolResult> = { isError: true }

/** A failure in the tool's own shape: a text, an object with `error`, or a list holding that object. */
function asFailure (text: string, body: object, { face }: ServedTool, redact: Redact): CallToolResult {
  if (face.returns === 'text') return asText(text, redact, FAILED)
  return asObject(face.returns === 'list' ? [body] : body, redact, FAILED)
}

function renderNotAllowed (why: string, tool: ServedTool, redact: Redact): CallToolResult {
  const { consequence = '' } = tool.face.operation
  const text = `${why} ${consequence}`
  return asFailure(text, { error: text }, tool, redact)
}

export const renderRefusedPermission = (tool: ServedTool, redact: Redact): CallToolResult =>
  renderNotAllowed(NO_PERMISSION, tool, redact)

/** The person who was asked does not want it. */
export const renderDeclined = (tool: ServedTool, redact: Redact): CallToolResult =>
  renderNotAllowed(DECLINED, tool, redact)

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

/** Sentences for all surfaces name a route and a tool; agents have only the tool. */
const forAgents = (sentence: string): string =>
  sentence.replaceAll(/\((?:GET|POST|PATCH|DELETE) \/api\/\w+, tool (\w+)\)/g, '($1)')

function renderServiceError (error: ServiceError, tool: ServedTool, printer: string, redact: Redact): CallToolResult {
  const message = forAgents(sentenceOf(error, tool.face.name))
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

/**
 * An answer that is too long to be read, as gzip and base64: nothing of it is lost. What to ask for instead stands
 * before the data, which few readers get past.
 * @param text with every secret masked: once it is packed none can be found
 */
function packed (text: string, { face: { less } }: ServedTool) {
  const original = Buffer.from(text)
  const compressed = gzipSync(original)
  const wish = less === undefined ? '' : `; ask for ${less} to get less`
  return {
    compressed: true,
    hint: `${original.length} bytes would not fit as plain text${wish}`,
    encoding: 'gzip+base64',
    original_size_bytes: original.length,
    compressed_size_bytes: compressed.length,
    data: compressed.toString('base64')
  }
}
