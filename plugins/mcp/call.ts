import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { misfit, NotConnected, type Kernel, type Progress } from '../../core/index.js'
import type { ServedTool } from './catalogue.js'
import { renderBadArguments, renderFailure, renderRefusedPermission, renderResult } from './render.js'

export interface CallContext {
  readonly kernel: Kernel
  /** Pack large results. */
  readonly envelope: boolean
  readonly signal: AbortSignal
  readonly progress: Progress
}

type Arguments = Readonly<Record<string, unknown>>

/** JSON null stands for "not given" where a parameter is optional and takes no null of its own. */
function withoutNulls (args: Arguments, { schema }: ServedTool): Record<string, unknown> {
  const required = schema.required as readonly string[] | undefined ?? []
  const takesNull = (name: string) => misfit(schema.properties[name] ?? {}, null) === undefined
  return Object.fromEntries(Object.entries(args).filter(([name, value]) =>
    value !== null || required.includes(name) || takesNull(name)))
}

/**
 * Calls a tool: arguments, permission, operation, rendering. Never throws: every failure is an answer in the
 * tool's own shape.
 */
export async function callTool (tool: ServedTool, args: Arguments, context: CallContext): Promise<CallToolResult> {
  const { redact } = context.kernel
  const given = withoutNulls(args, tool)
  const printer = typeof given.name === 'string' ? given.name : ''
  try {
    const problem = misfit(tool.schema, given)
    if (problem !== undefined) return renderBadArguments(problem, tool, redact)
    if (tool.permission && given.user_permission !== true) return renderRefusedPermission(tool, redact)
    return renderResult(await run(tool, given, printer, context), tool, context.envelope, redact)
  } catch (error) {
    return renderFailure(error, tool, printer, redact)
  }
}

async function run ({ face, ...tool }: ServedTool, given: Arguments, printer: string,
  { kernel, signal, progress }: CallContext): Promise<unknown> {
  // An empty name must not mean the default printer: whoever asks for a printer names it.
  if (tool.printer && printer === '') throw new NotConnected(printer)
  const { name: _name, user_permission: _permission, ...rest } = given
  const params = tool.printer ? rest : given
  const part = kernel.isolation.part(kernel.originOf(face), 'tool', face.name)
  const input = face.input ? part.run(() => face.input?.(params)) : params
  const output = await kernel.call(face.operation, input, { signal, progress, ...(tool.printer && { printer }) })
  return face.result ? part.run(() => face.result?.(output, params, printer)) : output
}
