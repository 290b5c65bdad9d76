import { Type, type Static } from 'typebox'
import { BadConfig, Duplicate, closestMatch, takeUp, type Effect, type Kernel, type PluginContext } from '../../core/index.js'
import { createClientRegistry } from './client-registry.js'
import { serveRawTool, serveTool } from './served-tools.js'
import { createResourceRegistry } from './resource-registry.js'
import { isInToolset, listedAtFirst, toolsetProblem } from './toolsets.js'
import type { ServerContext } from './types.js'

export const Options = Type.Object({
  toolsets: Type.Optional(Type.Array(Type.String(), { description: 'Offer only tools of these toolsets or plugins' })),
  include: Type.Optional(Type.Array(Type.String(), { description: 'Also offer these tools' })),
  exclude: Type.Array(Type.String(), { default: [], description: 'Never offer these tools' }),
  readOnly: Type.Boolean({ default: false, description: 'Offer only tools that change nothing on a printer' }),
  envelope: Type.Boolean({ default: true, description: 'Compress large results as gzip and base64' }),
  outputSchemas: Type.Boolean({
    default: false, description: 'List tools with the schemas of their answers, and always answer with structured content'
  }),
  askConsent: Type.Boolean({ default: true, description: 'If the client can ask its user, ask for consent instead of refusing' }),
  resume: Type.Boolean({ default: true, description: 'Store answers for clients whose connection breaks' }),
  idleMinutes: Type.Number({ default: 30, minimum: 0.001, description: 'Idle sessions end after this time' }),
  maxSessions: Type.Integer({ default: 64, minimum: 1, description: 'Above this number, the session least in use ends' })
})
export type Options = Static<typeof Options>

/** A tool that the options may exclude. */
interface Candidate {
  readonly name: string
  readonly effect: Effect
  readonly source: object
  readonly plugin: string | undefined
  readonly isOnRequest: boolean
}

/** `readOnly` takes precedence, then `exclude`, then `include`. Calling a tool that is not offered fails as unknown. */
function isOffered ({ name, effect, plugin }: Candidate, options: Options): boolean {
  const { readOnly, exclude, include = [], toolsets } = options
  if (readOnly && effect !== 'read' && effect !== 'local') return false
  if (exclude.includes(name)) return false
  return toolsets === undefined || toolsets.includes('start') || include.includes(name) ||
    toolsets.some(toolset => isInToolset(toolset, name, plugin))
}

/** Everything contributed, restricted by the options; shared by all sessions. */
export function createServerContext ({ kernel, contributed, options }: PluginContext<Options>): ServerContext {
  const ownerOf = (source: object) => kernel.originOf(source) ?? '?'
  const tools = contributed('tools').map(tool => takeUp(ownerOf(tool), `tool '${tool.name}'`, () => serveTool(tool)))
  const rawTools = contributed('rawTools').map(raw => takeUp(ownerOf(raw), 'a raw tool', () => serveRawTool(raw)))
  const candidates: Candidate[] = [
    ...tools.map(({ binding, effect }) => {
      const { name, onRequest: isOnRequest = false } = binding
      return { name, effect, source: binding, plugin: kernel.originOf(binding), isOnRequest }
    }),
    ...rawTools.map(({ raw, definition: { name }, effect }) =>
      ({ name, effect, source: raw, plugin: kernel.originOf(raw), isOnRequest: false }))
  ]
  checkUnique('Tool', candidates.map(({ name, source }) => ({ name, source })), kernel)
  checkUnique('Prompt', contributed('prompts').map(source => ({ name: source.name, source })), kernel)
  checkUnique('Resource', contributed('resources').map(source => ({ name: source.uri, source })), kernel)
  checkUnique('App', contributed('apps').map(source => ({ name: source.uri, source })), kernel)
  // An unknown name may belong to a plugin that was skipped.
  if (kernel.skipped.length === 0) checkNames(candidates, options, kernel)
  const offered = new Set(candidates.filter(tool => isOffered(tool, options)).map(({ name }) => name))
  return {
    kernel,
    tools: byName(tools.filter(({ binding }) => offered.has(binding.name))),
    rawTools: byName(rawTools.filter(({ definition }) => offered.has(definition.name))),
    listed: options.toolsets === undefined
      ? usuallyListed(candidates.filter(({ name }) => offered.has(name)), options)
      : listedAtFirst(options.toolsets, candidates.filter(({ name }) => offered.has(name))),
    prompts: new Map(contributed('prompts').map(prompt => [prompt.name, prompt])),
    resources: createResourceRegistry(kernel, contributed('resources')),
    apps: contributed('apps').filter(({ tools }) => tools.some(name => offered.has(name))),
    clientRegistry: createClientRegistry(),
    envelope: options.envelope,
    outputSchemas: options.outputSchemas,
    askConsent: options.askConsent
  }
}

/** Without those that are found on request; undefined: there is none. */
function usuallyListed (tools: readonly Candidate[], { include = [] }: Options): ReadonlySet<string> | undefined {
  const listed = tools.filter(({ name, isOnRequest }) => !isOnRequest || include.includes(name))
  return listed.length === tools.length ? undefined : new Set(listed.map(({ name }) => name))
}

const byName = <T extends { definition: { name: string } }>(tools: readonly T[]) =>
  new Map(tools.map(tool => [tool.definition.name, tool]))

/** @throws PRN_ERR_DUPLICATE */
function checkUnique (what: string, values: readonly { name: string, source: object }[], kernel: Kernel): void {
  const seen = new Map<string, object>()
  for (const { name, source } of values) {
    const first = seen.get(name)
    if (first) {
      const plugins = [kernel.originOf(first) ?? '?', kernel.originOf(source) ?? '?'] as const
      throw new Duplicate(`${what} '${name}'`, ...plugins).with({ plugins })
    }
    seen.set(name, source)
  }
}

/**
 * A misspelt name would leave a tool enabled that the operator meant to exclude.
 * @throws PRN_ERR_CONFIG
 */
function checkNames (tools: readonly Candidate[], options: Options, kernel: Kernel): void {
  const names = tools.map(({ name }) => name)
  check('exclude', options.exclude, names)
  check('include', options.include, names)
  const problem = toolsetProblem(options.toolsets ?? [], kernel)
  if (problem !== undefined) throw new BadConfig(`plugins.mcp.toolsets: ${problem}`)
}

function check (option: string, given: readonly string[] = [], known: readonly string[]): void {
  const wrong = given.find(name => !known.includes(name))
  if (wrong === undefined) return
  const close = closestMatch(wrong, known)
  const hint = close === undefined ? '' : `; did you mean '${close}'?`
  throw new BadConfig(`plugins.mcp.${option}: there is no tool '${wrong}'${hint}`)
}
