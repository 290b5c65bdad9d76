import {
  CompleteRequestSchema, GetPromptRequestSchema, ListPromptsRequestSchema, ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema, ReadResourceRequestSchema
} from '@modelcontextprotocol/sdk/types.js'
import { viewFor } from '../../core/index.js'
import { appContent, listedApp } from './apps.js'
import { completePart, MOST_COMPLETIONS } from './completion.js'
import { redacted } from './error-text.js'
import { defineMethod, type Method } from './requests.js'
import { INVALID_PARAMS, RpcError } from './rpc-error.js'
import { runGuarded } from './run-guarded.js'
import { toolMethods } from './serve-tools.js'
import type { ServerContext } from './types.js'

/** Source: revision 2025-11-25, "Resources", error handling. The library of 2026-07-28 sends -32602 instead. */
const RESOURCE_NOT_FOUND = -32_002

export const resourceNotFound = (uri: string) => new RpcError(RESOURCE_NOT_FOUND, `Resource not found: ${uri}`, { uri })

/** The methods of every revision. The servers of both revisions bind them to their library. */
export const commonMethods = (serverContext: ServerContext): Method[] =>
  [...toolMethods(serverContext), ...promptMethods(serverContext), ...resourceMethods(serverContext)]

const promptMethods = ({ kernel, prompts, resources }: ServerContext): Method[] => [
  defineMethod(ListPromptsRequestSchema, () => ({
    prompts: [...prompts.values()].map(({ name, title, description, arguments: args = [] }) => ({
      name,
      ...(title !== undefined && { title }),
      description,
      arguments: args.map(({ name, description, required = false }) => ({ name, description, required }))
    }))
  })),

  defineMethod(GetPromptRequestSchema, async ({ name, arguments: args = {} }, request) => {
    const { client, signal, sender } = request
    const prompt = prompts.get(name)
    if (!prompt) throw new RpcError(INVALID_PARAMS, `Unknown prompt: ${name}`)
    const missing = prompt.arguments?.find(argument => argument.required && !args[argument.name])
    if (missing) throw new RpcError(INVALID_PARAMS, `Prompt '${name}' needs the argument '${missing.name}'`)
    const view = viewFor(kernel, sender.caller)
    const messages = await runGuarded(kernel, prompt, 'prompt', name, () =>
      prompt.get(view, args, { client, signal, request: request.ask }))
    return { description: prompt.description, messages: redacted(messages, kernel.redact) }
  }),

  defineMethod(CompleteRequestSchema, ({ ref, argument }, { sender }) => {
    const view = viewFor(kernel, sender.caller)
    const values = ref.type === 'ref/prompt'
      ? completePart(view, prompts.get(ref.name), argument)
      : resources.complete(ref.uri, argument.value, view)
    const hasMore = values.length > MOST_COMPLETIONS
    return { completion: { values: values.slice(0, MOST_COMPLETIONS), total: values.length, hasMore } }
  })
]

const resourceMethods = ({ apps, kernel, resources }: ServerContext): Method[] => [
  defineMethod(ListResourcesRequestSchema, (_, { showsApps, sender }) =>
    ({ resources: [...resources.list(viewFor(kernel, sender.caller)), ...(showsApps ? apps.map(listedApp) : [])] })),
  defineMethod(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: resources.templates() })),
  defineMethod(ReadResourceRequestSchema, async ({ uri }, { sender }) => {
    const app = apps.find(app => app.uri === uri)
    const contents = app
      ? [await runGuarded(kernel, app, 'app', uri, () => appContent(app))]
      : await resources.read(uri, viewFor(kernel, sender.caller))
    if (!contents) throw resourceNotFound(uri)
    return { contents }
  })
]
