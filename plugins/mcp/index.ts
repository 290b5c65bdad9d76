import { Type, type Static } from 'typebox'
import { definePlugin, type PluginContext } from '../../core/index.js'
import { serveTool, type ServedTool } from './catalogue.js'
import { serveHttp } from './http.js'
import { diagnose, overview } from './prompts.js'
import { createResourceDesk } from './resource-desk.js'
import { printerList, printerState } from './resources.js'
import type { Offer } from './server.js'

export { MCP_PATH } from './http.js'
export { completePrinter } from './completion.js'
export { definePrompt, defineRawTool, defineResource } from './contributions.js'
export type { Prompt, PromptArgument, RawTool, RawToolContext, Resource, ResourceContent } from './contributions.js'
export type { ServedTool } from './catalogue.js'
export type { Offer } from './server.js'
export { bridgeStdio, serveStdio } from './stdio.js'

declare module 'prn' {
  interface Services {
    /** What agents are offered: for documentation, tests and other transports. */
    mcp: { readonly offer: Offer, readonly sessions: number }
  }
}

const Options = Type.Object({
  toolsets: Type.Optional(Type.Array(Type.String(), { description: 'Only tools of these plugins' })),
  include: Type.Optional(Type.Array(Type.String(), { description: 'Besides, these tools' })),
  exclude: Type.Array(Type.String(), { default: [], description: 'Never these tools' }),
  readOnly: Type.Boolean({ default: false, description: 'Only tools that change nothing on a printer' }),
  envelope: Type.Boolean({ default: true, description: 'Pack large results as gzip and base64' }),
  idleMinutes: Type.Number({ default: 30, minimum: 0.01 }),
  maxSessions: Type.Integer({ default: 64, minimum: 1 })
})
type Options = Static<typeof Options>

/** Read-only beats everything, exclude beats include. Tools that are not offered answer as unknown ones. */
function isOffered ({ face, effect }: ServedTool, toolset: string, options: Options): boolean {
  const { readOnly, exclude, include = [], toolsets } = options
  if (readOnly && effect !== 'read' && effect !== 'local') return false
  if (exclude.includes(face.name)) return false
  return toolsets === undefined || toolsets.includes(toolset) || include.includes(face.name)
}

function createOffer ({ kernel, contributed, options }: PluginContext<Options>): Offer {
  const tools = contributed('tools').map(serveTool)
    .filter(tool => isOffered(tool, kernel.originOf(tool.face) ?? '', options))
  return {
    kernel,
    tools: new Map(tools.map(tool => [tool.face.name, tool])),
    rawTools: new Map(contributed('rawTools').map(tool => [tool.definition.name, tool])),
    prompts: new Map(contributed('prompts').map(prompt => [prompt.name, prompt])),
    resources: createResourceDesk(kernel, contributed('resources')),
    envelope: options.envelope
  }
}

export default definePlugin({
  name: 'mcp',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Tools, resources and prompts for AI agents',
  needs: ['http', 'state'],
  provides: ['mcp'],
  uses: ['network'],
  options: Options,
  encapsulate: false,
  contributes: {
    resources: [printerList, printerState],
    prompts: [overview, diagnose]
  },
  setup (context) {
    const offer = createOffer(context)
    const http = serveHttp(context.app, offer, context.options, context.log)
    context.provide('mcp', { offer, get sessions () { return http.sessions } })
    context.onClose(() => offer.resources.close())
  }
})
