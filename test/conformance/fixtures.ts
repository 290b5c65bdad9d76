import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin, defineResource } from '../../core/index.js'
import { definePrompt, defineRawTool, type AskClient, type RawTool } from '../../plugins/mcp/index.js'
import { AUDIO, ELICITED_DEFAULTS, ELICITED_ENUMS, ELICITED_PERSON, IMAGE, SCHEMA_2020 } from './fixtures.data.js'

type Run = RawTool['run']
type Content = Awaited<ReturnType<Run>>['content'][number]
interface Elicited { readonly action: string, readonly content?: unknown }

const text = (words: string): Content => ({ type: 'text', text: words })
const image: Content = { type: 'image', data: IMAGE, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, words: string): Content =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } })

/** A tool without effect, named and described as the suite wants it. */
const fixture = (name: string, run: Run, properties: Readonly<Record<string, object>> = {}) => defineRawTool({
  effect: 'read',
  definition: {
    name,
    description: `Fixture: ${name}`,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) }
  },
  run
})

const constant = (name: string, ...content: Content[]) => fixture(name, () => ({ content }))

const STEP_MS = 50

async function speak ({ log }: Parameters<Run>[1]): Promise<void> {
  log('info', 'Tool execution started')
  await sleep(STEP_MS)
  log('info', 'Tool processing data')
  await sleep(STEP_MS)
  log('info', 'Tool execution completed')
}

const elicit = (name: string, schema: object, words = 'Please answer') => fixture(name, async (_, { request }) => {
  const { action, content } = await request<Elicited>('elicitation/create', { message: words, requestedSchema: schema })
  return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)] }
})

const formOf = (name: string, type = 'string') =>
  ({ type: 'object', properties: { [name]: { type } }, required: [name] })

const NAME = { message: 'What is your name?', requestedSchema: formOf('name') }

/** A tool without arguments that asks first. */
const asking = (name: string, run: (request: AskClient, context: Parameters<Run>[1]) => Promise<string>) =>
  fixture(`test_input_required_result_${name}`, async (_, context) =>
    ({ content: [text(await run(context.request, context))] }))

const nameBy = async (request: AskClient) => {
  const { content } = await request<{ content?: { name?: string } }>('elicitation/create', NAME, { name: 'user_name' })
  return content?.name ?? 'nobody'
}
const sample = async (request: AskClient, words: string, name: string) => {
  const messages = [{ role: 'user', content: { type: 'text', text: words } }]
  const { content } = await request<{ content: { text?: string } }>('sampling/createMessage',
    { messages, maxTokens: 100 }, { name })
  return content.text ?? ''
}
const rootsBy = async (request: AskClient) => {
  const { roots } = await request<{ roots: { uri: string }[] }>('roots/list', {}, { name: 'client_roots' })
  return roots.map(({ uri }) => uri).join(', ')
}
const confirm = async (request: AskClient) => {
  const question = { message: 'Please confirm', requestedSchema: formOf('ok', 'boolean') }
  const { action } = await request<Elicited>('elicitation/create', question, { name: 'confirm' })
  return `state-ok: ${action}`
}

/** Tools whose questions are put by their answers. */
const askingTools = [
  asking('elicitation', async request => `Hello, ${await nameBy(request)}!`),
  asking('sampling', request => sample(request, 'What is the capital of France?', 'capital_question')),
  asking('list_roots', rootsBy),
  asking('request_state', confirm),
  asking('tampered_state', confirm),
  asking('multiple_inputs', async request =>
    (await Promise.all([nameBy(request), sample(request, 'Generate a greeting', 'greeting'), rootsBy(request)])).join('; ')),
  asking('multi_round', async request => {
    const name = await nameBy(request)
    const question = { message: 'What is your favorite color?', requestedSchema: formOf('color') }
    const { content } = await request<Elicited>('elicitation/create', question)
    return `${name}: ${JSON.stringify(content)}`
  }),
  asking('capabilities', async (request, { client: { capabilities } }) =>
    capabilities.elicitation ? await nameBy(request) : await sample(request, 'Who are you?', 'who')),
  fixture('test_missing_capability', async (_, { request }) =>
    ({ content: [text(await sample(request, 'Anything', 'anything'))] })),
  fixture('test_streaming_elicitation', async (_, context) => {
    await speak(context)
    return { content: [text(await nameBy(context.request))] }
  }),
  fixture('test_logging_tool', async (_, context) => {
    await speak(context)
    return { content: [text('Three messages were logged')] }
  })
]

const rawTools = [
  ...askingTools,
  constant('test_simple_text', text('This is a simple text response for testing.')),
  constant('test_image_content', image),
  constant('test_audio_content', { type: 'audio', data: AUDIO, mimeType: 'audio/wav' }),
  constant('test_embedded_resource',
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  constant('test_multiple_content_types', text('Multiple content types test:'), image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')),

  fixture('test_tool_with_logging', async (_, context) => {
    await speak(context)
    return { content: [text('Three messages were logged')] }
  }),
  fixture('test_error_handling', () => { throw new Error('This tool intentionally returns an error for testing') }),
  fixture('test_tool_with_progress', async (_, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress(done, 100)
      await sleep(STEP_MS)
    }
    return { content: [text('Progress was reported three times')] }
  }),

  fixture('test_sampling', async ({ prompt }, { request }) => {
    const { content } = await request<{ content: { text?: string } }>('sampling/createMessage', {
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens: 100
    })
    return { content: [text(`LLM response: ${content.text ?? ''}`)] }
  }, { prompt: { type: 'string' } }),
  fixture('test_elicitation', async ({ message }, { request }) => {
    const answer = await request<Elicited>('elicitation/create', { message, requestedSchema: ELICITED_PERSON })
    return { content: [text(`User response: ${JSON.stringify(answer)}`)] }
  }, { message: { type: 'string' } }),
  elicit('test_elicitation_sep1034_defaults', ELICITED_DEFAULTS),
  elicit('test_elicitation_sep1330_enums', ELICITED_ENUMS),

  fixture('test_reconnection', async (_, { closeStream }) => {
    await sleep(STEP_MS)
    closeStream()
    await sleep(STEP_MS)
    return { content: [text('The connection was let go and taken up again')] }
  }),
  defineRawTool({
    effect: 'read',
    definition: {
      name: 'json_schema_2020_12_tool',
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: SCHEMA_2020
    },
    run: args => ({ content: [text(JSON.stringify(args))] })
  })
]

const resources = [
  defineResource({
    uri: 'test://static-text',
    name: 'static text',
    description: 'Fixture: a text',
    mimeType: 'text/plain',
    read: () => ({ text: 'This is the content of the static text resource.' })
  }),
  defineResource({
    uri: 'test://static-binary',
    name: 'static binary',
    description: 'Fixture: bytes',
    mimeType: 'image/png',
    read: () => ({ bytes: Buffer.from(IMAGE, 'base64') })
  }),
  defineResource({
    uri: 'test://template/{id}/data',
    name: 'template',
    description: 'Fixture: a template',
    mimeType: 'application/json',
    read: (_, id) => ({ text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) })
  }),
  defineResource({
    uri: 'test://watched-resource',
    name: 'watched',
    description: 'Fixture: something that changes',
    mimeType: 'text/plain',
    read: () => ({ text: new Date().toISOString() }),
    watch (_, changed) {
      const timer = setInterval(() => changed(''), STEP_MS).unref()
      return () => clearInterval(timer)
    }
  })
]

const user = <C>(content: C) => ({ role: 'user' as const, content })

const prompts = [
  definePrompt({
    name: 'test_input_required_result_prompt',
    description: 'Fixture: a prompt that asks',
    get: async (_, __, { request }) => {
      const question = { message: 'What context should the prompt use?', requestedSchema: formOf('context') }
      const { content } = await request<Elicited>('elicitation/create', question, { name: 'user_context' })
      return [user({ type: 'text', text: `Context: ${JSON.stringify(content)}` })]
    }
  }),
  definePrompt({
    name: 'test_simple_prompt',
    description: 'Fixture: a prompt',
    get: () => [user({ type: 'text', text: 'This is a simple prompt for testing.' })]
  }),
  definePrompt({
    name: 'test_prompt_with_arguments',
    description: 'Fixture: a prompt with arguments',
    arguments: [
      { name: 'arg1', description: 'First', required: true, complete: (_, typed) => [`${typed}One`, `${typed}Two`] },
      { name: 'arg2', description: 'Second', required: true }
    ],
    get: (_, { arg1, arg2 }) => [user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })]
  }),
  definePrompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'Fixture: a prompt with a resource',
    arguments: [{ name: 'resourceUri', description: 'Address of the resource', required: true }],
    get: (_, { resourceUri: uri = '' }) => [
      user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } }),
      user({ type: 'text', text: 'Please process the embedded resource above.' })
    ]
  }),
  definePrompt({
    name: 'test_prompt_with_image',
    description: 'Fixture: a prompt with an image',
    get: () => [
      user({ type: 'image', data: IMAGE, mimeType: 'image/png' }),
      user({ type: 'text', text: 'Please analyze the image above.' })
    ]
  })
]

/** What the conformance suite calls, made with nothing that an outside author does not have. */
export default definePlugin({
  name: 'conformance-fixtures',
  version: '1.0.0',
  kernel: '^2.0.0',
  needs: ['mcp'],
  contributes: { rawTools, resources, prompts }
})
