import { closestMatch, type Kernel } from '../../core/index.js'
import { TOOLSETS } from './toolsets.data.js'
import type { ServerContext } from './types.js'

const START = 'start'
const ALL = 'all'

/** @param plugin name of the plugin that contributes the tool */
export const isInToolset = (toolset: string, tool: string, plugin: string | undefined): boolean =>
  toolset === ALL || toolset === plugin || (TOOLSETS[toolset]?.includes(tool) ?? false)

export const toolsetNames = ({ plugins }: Kernel): string[] =>
  [...new Set([...Object.keys(TOOLSETS), ALL, ...plugins.keys()])]

/** @returns what is wrong with the names, or undefined */
export function toolsetProblem (asked: readonly string[], kernel: Kernel): string | undefined {
  const known = toolsetNames(kernel)
  const wrong = asked.find(name => !known.includes(name))
  if (wrong === undefined) return undefined
  const close = closestMatch(wrong, known)
  return `there is no toolset '${wrong}'; ` +
    (close === undefined ? `choose from ${[...Object.keys(TOOLSETS), ALL].join(', ')}` : `did you mean '${close}'?`)
}

interface OwnedTool { readonly name: string, readonly plugin: string | undefined }

/** With `start`, the tools of the sets are listed, and all others can be found and called. */
export function listedAtFirst (toolsets: readonly string[], tools: readonly OwnedTool[]):
ReadonlySet<string> | undefined {
  if (!toolsets.includes(START)) return undefined
  const isAtFirst = ({ name, plugin }: OwnedTool) => toolsets.some(toolset => isInToolset(toolset, name, plugin))
  return new Set(tools.filter(isAtFirst).map(({ name }) => name))
}

/** The context with only those offered tools that are in the requested toolsets. */
export function narrowed (serverContext: ServerContext, asked: readonly string[]): ServerContext {
  if (asked.length === 0) return serverContext
  const { kernel: { originOf }, tools, rawTools } = serverContext
  if (asked.includes(START)) {
    const all = [
      ...[...tools].map(([name, { binding }]) => ({ name, plugin: originOf(binding) })),
      ...[...rawTools].map(([name, { raw }]) => ({ name, plugin: originOf(raw) }))
    ]
    return { ...serverContext, listed: listedAtFirst(asked, all) }
  }
  const keep = (name: string, source: object) => asked.some(toolset => isInToolset(toolset, name, originOf(source)))
  return {
    ...serverContext,
    listed: undefined,
    tools: new Map([...tools].filter(([name, { binding }]) => keep(name, binding))),
    rawTools: new Map([...rawTools].filter(([name, { raw }]) => keep(name, raw)))
  }
}
