import { definePlugin } from '../../core/index.js'
import { apps } from './apps.js'
import { serveHttp } from './http.js'
import { createServerContext, Options } from './server-context.js'
import { followNames, followPrinters } from './printer-notifications.js'
import { diagnosePrompt, overviewPrompt, printPlatePrompt, watchPrintPrompt, whyFailedPrompt } from './prompts.js'
import { printersResource, printerResource } from './resources.js'
import type { ServerContext } from './types.js'

export { defineApp } from './apps.js'
export type { App } from './apps.js'
export { MCP_PATH } from './http.js'
export { askTool, connectClient } from './client.js'
export type { McpClient, ToolAnswer } from './client.js'
export { completePrinter } from './completion.js'
export { definePrompt, defineRawTool } from './contributions.js'
export type {
  AskClient, AskOptions, Prompt, PromptArgument, PromptContext, RawTool, RawToolContext, ToolClient
} from './contributions.js'
export type { ClientRegistry, LogMessage } from './client-registry.js'
export type { ServedRawTool, ServedTool } from './served-tools.js'
export type { ServerContext } from './types.js'
export type { Selection } from './selection.js'
export { bridgeStdio, serveStdio } from './stdio.js'

declare module 'prnd' {
  interface Services {
    /** What agents are offered and how they are notified: for documentation, tests and other transports. */
    mcp: { readonly serverContext: ServerContext, readonly sessions: number }
  }
}

export default definePlugin({
  name: 'mcp',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Tools, resources and prompts for AI agents',
  needs: ['http', 'state'],
  provides: ['mcp'],
  uses: ['network'],
  options: Options,
  encapsulate: false,
  contributes: {
    resources: [printersResource, printerResource],
    apps,
    prompts: [overviewPrompt, diagnosePrompt, printPlatePrompt, watchPrintPrompt, whyFailedPrompt]
  },
  setup (context) {
    const { kernel, app, options, log, provide, onReady, onClose } = context
    const serverContext = createServerContext(context)
    const { clientRegistry, resources } = serverContext
    const http = serveHttp(app, serverContext, options, log)
    const undo = [
      followPrinters(kernel, clientRegistry.log), followNames(kernel, clientRegistry.resourcesChanged), resources.close
    ]
    onReady(resources.watch)
    provide('mcp', { serverContext, get sessions () { return http.sessions } })
    onClose(() => { for (const end of undo) end() })
  }
})
