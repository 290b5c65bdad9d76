import type { CallToolResult, ServerResult } from '@modelcontextprotocol/sdk/types.js'
import type { TObject } from 'typebox'
import {
  checkOperation, isServiceError, NoDryRun, NotConnected, type CallOptions, type Kernel, type Progress, type Rehearsal,
  type Tool
} from '../../core/index.js'
import { argumentProblem, readArguments } from './arguments.js'
import { errorText } from './error-text.js'
import type { ServedTool } from './served-tools.js'
import { consentTo, type AskConsent } from './consent.js'
import type { ToolPicture } from './pictures.js'
import {
  renderBadArguments, renderDeclined, renderFailure, renderRefusedPermission, renderResult, PAGE_CHARS,
  type Aside
} from './render.js'
import { Interruption } from './rpc-error.js'
import { reportStillWorking } from './still-working.js'
import type { Sender } from './types.js'

export interface CallContext extends Sender {
  readonly kernel: Kernel
  /** Compress large results. */
  readonly envelope: boolean
  /** The client was listed output schemas: each success has structured content, no failure has. */
  readonly listsSchemas: boolean
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly askConsent: AskConsent | undefined
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Calls a tool: arguments, permission, operation, rendering. Every failure becomes a result in the tool's own shape;
 * only an Interruption is thrown.
 */
export async function callTool (tool: ServedTool, args: Arguments, context: CallContext): Promise<ServerResult> {
  const result = await called(tool, args, context)
  return context.listsSchemas && result.isError === true ? withoutStructure(result) : result
}

/** Clients compare the structured content of failures with the schema, too, and then hide what failed. */
const withoutStructure = ({ structuredContent: _, ...result }: CallToolResult): CallToolResult => result

async function called (tool: ServedTool, args: Arguments, context: CallContext): Promise<CallToolResult> {
  const { kernel, caller, listsSchemas, envelope } = context
  const { redact } = kernel
  const given = readArguments(args, tool)
  const printer = typeof given.name === 'string' ? given.name : ''
  try {
    checkOperation(kernel, tool.binding.operation, caller, tool.binding.name, tool.effect)
    const problem = argumentProblem(given, tool)
    if (problem !== undefined) return renderBadArguments(problem, tool, redact)
    if (tool.permission && given.user_permission !== true) {
      const consent = await consentTo(tool, tool.binding.operation.consequence ?? '', given, { ...context, redact })
      if (consent === 'unasked') return await tried(tool, given, printer, context)
      if (consent === 'declined') return renderDeclined(tool, redact)
    }
    const { asked, longSide, cursor } = splitPresentation(tool, given)
    const answer = await runFitting(tool, asked, printer, context)
    const isFull = tool.binding.full?.some(name => args[name] !== undefined && args[name] !== false) ?? false
    const check = checkOf(tool, kernel)
    const showing = { ...answer, longSide, cursor, isFull, envelope, listsSchemas, redact, check }
    return await renderResult(answer.value, tool, showing)
  } catch (error) {
    if (error instanceof Interruption) throw error
    return renderFailure(error, tool, printer, redact)
  }
}

/** Schemas are compared with answers as those of operations are: always in tests, now and then in service. */
const checkOf = ({ binding, outputSchema }: ServedTool, kernel: Kernel) => (structure: object): void =>
  kernel.checkOutput({ name: `tool ${binding.name}`, output: outputSchema() }, structure)

/** Longer details are left out: the text is read by an agent. */
const MOST_CHARS = 3_000

const fitting = (label: string, value: unknown): string[] => {
  if (value === null) return []
  const text = JSON.stringify(value)
  return text.length > MOST_CHARS ? [] : [`${label}: ${text}.`]
}

const sentence = ({ checked, unchecked, sends, cost, found }: Rehearsal): string => [
  `Tried without doing it: it would be allowed by ${checked.join(', ')}.`,
  ...fitting('It would send', sends),
  ...fitting('It would take from your budget', cost),
  ...fitting('Found', found),
  ...(unchecked.length === 0 ? [] : [`Not known before: ${unchecked.join('; ')}.`])
].join(' ')

/** What a call without permission would do, or why it would be refused, in words. */
async function tryCall (kernel: Kernel, { binding }: ServedTool, input: () => object, options: CallOptions):
Promise<string> {
  try {
    return sentence(await kernel.rehearse(binding.operation, input(), options))
  } catch (error) {
    const isUnknown = isServiceError(error) && error.code === NoDryRun.code
    return `${isUnknown ? 'It cannot be tried' : 'With permission it would be refused'}: ${errorText(error)}`
  }
}

/** Adds what was tried as a block of its own: the answer before it stays as it is. */
const withTrial = (result: CallToolResult, text: string): CallToolResult =>
  ({ ...result, content: [...result.content, { type: 'text', text }] })

/** Says what would happen, as far as it can be found out without doing it. */
async function tried (tool: ServedTool, given: Arguments, printer: string, context: CallContext):
Promise<CallToolResult> {
  const { kernel, caller, host } = context
  const { asked } = splitPresentation(tool, given)
  const options = { surface: 'mcp', caller, host, signal: context.signal, ...(tool.printer && { printer }) }
  const refused = renderRefusedPermission(tool, kernel.redact)
  if (tool.printer && printer === '') return refused
  return withTrial(refused, kernel.redact(await tryCall(kernel, tool, () => inputOf(tool.binding, asked), options)))
}

/** Separates parameters of the presentation from those of the operation. */
function splitPresentation ({ binding }: ServedTool, given: Arguments) {
  const { image_px: longSide, ...unsized } = given
  const asked = Object.hasOwn(binding.params?.properties ?? {}, 'image_px') ? given : unsized
  const { cursor, ...whole } = asked
  return {
    asked: binding.pages === undefined || Object.hasOwn(binding.params?.properties ?? {}, 'cursor') ? asked : whole,
    longSide: typeof longSide === 'number' ? longSide : undefined,
    cursor: typeof cursor === 'string' ? cursor : undefined
  }
}

function asideOf (output: unknown): Aside {
  const { confirmed, note } = output as { confirmed?: boolean, note?: string } | null | undefined ?? {}
  return { ...(confirmed === false && { confirmed }), ...(typeof note === 'string' && { note }) }
}

/** A list that the operation pages itself cannot be cut afterwards, so fewer rows are requested until they fit. */
async function runFitting (tool: ServedTool, given: Arguments, printer: string, context: CallContext):
Promise<Answered> {
  const { limited } = tool.binding
  let answer = await run(tool, given, printer, context)
  if (limited === undefined || !context.envelope) return answer
  for (;;) {
    const rows = (answer.value as Readonly<Record<string, readonly unknown[]>>)[limited]?.length ?? 0
    const chars = JSON.stringify(answer.value).length
    if (rows <= 1 || chars <= PAGE_CHARS) return answer
    const limit = Math.max(1, Math.min(rows - 1, Math.floor(rows * PAGE_CHARS / chars)))
    answer = await run(tool, { ...given, limit }, printer, context)
  }
}

/** Only declared parameters reach the operation: not the printer, the consent, or arguments that a read ignores. */
const declares = ({ operation, params = operation.input as TObject }: Tool, key: string): boolean =>
  Object.hasOwn(params.properties, key)

const paramsOf = (binding: Tool, given: Arguments): Arguments =>
  Object.fromEntries(Object.entries(given).filter(([key]) => declares(binding, key)))

const inputOf = (binding: Tool, given: Arguments): object => {
  const params = paramsOf(binding, given)
  return binding.input ? binding.input(params) as object : params
}

interface Answered {
  readonly value: unknown
  readonly brief: string | undefined
  readonly aside: Aside
  readonly pictures: readonly ToolPicture[]
}

async function run ({ binding, ...tool }: ServedTool, given: Arguments, printer: string,
  { kernel, signal, progress, caller, host }: CallContext): Promise<Answered> {
  // An empty name must not select the default printer: a tool call always names its printer.
  if (tool.printer && printer === '') throw new NotConnected(printer).with({ detail: 'The name is empty: name a configured printer.' })
  const params = paramsOf(binding, given)
  const guard = kernel.pluginFaults.guard(kernel.originOf(binding), 'tool', binding.name)
  const input = guard.call(() => inputOf(binding, given))
  const options = { surface: 'mcp', signal, caller, host, ...(tool.printer && { printer }) }
  const output = await reportStillWorking(progress, observed =>
    kernel.call(binding.operation, input, { ...options, progress: observed }))
  const value: unknown = binding.result ? guard.call(() => binding.result?.(output, params, printer)) : output
  const pictures = guard.call(() => binding.pictures?.(output)) ?? []
  const brief = guard.call(() => binding.brief?.(output))
  return { value, brief, pictures, aside: tool.effect === 'read' ? {} : asideOf(output) }
}
