import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { definePrompt, defineRawTool, type AskClient, type RawTool } from '../../../plugins/mcp/index.js'
import daemon from '../../../presets/daemon/index.js'
import { answerOf, listening } from './connect.js'
import { connectStateless, statelessRequest } from './connect-stateless.js'

const CAN = { elicitation: { form: {} } }
const formOf = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })
const yes = (content: object) => ({ action: 'accept', content })

const ask = async (request: AskClient, what: string, name?: string): Promise<string> => {
  const question = { message: `${what}?`, requestedSchema: formOf('text') }
  const { content } = await request<{ content?: { text?: string } }>('elicitation/create', question,
    name === undefined ? {} : { name })
  return content?.text ?? 'nothing'
}

const words = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const log: string[] = []
const raw = (name: string, run: RawTool['run'], more: Partial<RawTool> = {}) => defineRawTool({
  effect: 'read', definition: { name, inputSchema: { type: 'object' } }, run, ...more
})

const preset = definePreset({
  name: 'daemon',
  plugins: [daemon.plugins, definePlugin({
    name: 'curious',
    version: '1.0.0',
    kernel: '^2.0.0',
    contributes: {
      rawTools: [
        raw('one_by_one', async (_, { request }) => {
          log.push('begun')
          try {
            return words(`${await ask(request, 'first')} and ${await ask(request, 'second')}`)
          } finally {
            log.push('ended')
          }
        }),
        raw('at_once', async (_, { request }) =>
          words((await Promise.all([ask(request, 'left', 'left'), ask(request, 'right', 'right')])).join(' and '))),
        raw('careless', async (_, { request }) => words(await ask(request, 'anything').catch(() => 'did without'))),
        raw('wrong_method', async (_, { request }) => words(String(await request('tools/list', {})))),
        raw('consent_by_another_name', async (_, { request }) => words(await ask(request, 'May I', 'consent'))),
        raw('open_lid', async (_, { request }) => words(`opened by ${await ask(request, 'Who')}`),
          { effect: 'write', consequence: 'The lid opens.' })
      ],
      prompts: [definePrompt({
        name: 'asks',
        description: 'Asks',
        get: async (_, __, { request }) =>
          [{ role: 'user', content: { type: 'text', text: await ask(request, 'context') } }]
      })]
    }
  })]
})

const serving = { models: [], preset } as const
const caller = (post: (method: string, options: object) => Promise<Response>) =>
  async (name: string, more: object = {}, capabilities: object = CAN) => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
    return await answerOf(await post('POST', statelessRequest('tools/call', { name, arguments: {}, _meta, ...more })))
  }

t.test('clients of both revisions answer what tools and prompts ask', async t => {
  const { url, connect } = await listening(t, serving)
  const answer = ({ params: { message } }: any): any => yes({ text: `${message}!` })
  const old = await connect({ capabilities: CAN })
  old.client.setRequestHandler(ElicitRequestSchema, answer)
  const now = await connectStateless(t, url, { capabilities: CAN })
  now.setRequestHandler('elicitation/create', answer)
  for (const client of [old.client, now]) {
    t.match(await client.callTool({ name: 'one_by_one', arguments: {} }), words('first?! and second?!'))
    t.match(await client.callTool({ name: 'at_once', arguments: {} }), words('left?! and right?!'))
    t.match(await client.callTool({ name: 'careless', arguments: {} }), words('anything?!'))
    t.match(await client.getPrompt({ name: 'asks' }), { messages: [{ content: { text: 'context?!' } }] })
    t.match(await client.callTool({ name: 'open_lid', arguments: { user_permission: true } }), words('opened by Who?!'))
  }
})

t.test('each round does the work anew with the answers so far, and waiting is no fault of the plugin', async t => {
  const { raw: post, kernel } = await listening(t, serving)
  const call = caller(post)
  log.length = 0
  const first = (await call('one_by_one')).result
  t.match(first, { resultType: 'input_required', inputRequests: { question_1: { params: { message: 'first?' } } } })
  t.same(log, ['begun', 'ended'], 'it does not wait')
  const second = (await call('one_by_one',
    { requestState: first.requestState, inputResponses: { question_1: yes({ text: 'A' }) } })).result
  t.same(Object.keys(second.inputRequests), ['question_2'], 'what was answered is not asked again')
  const { requestState } = second
  const inputResponses = { question_2: yes({ text: 'B' }) }
  t.match((await call('one_by_one', { requestState, inputResponses })).result, words('A and B'))
  t.match((await call('at_once', { requestState, inputResponses })).result,
    { inputRequests: { left: {}, right: {} } }, 'answers to another call')
  t.match((await call('one_by_one', { requestState, inputResponses: { question_2: { action: 7 } } })).result,
    { inputRequests: { question_2: {} } }, 'what is no answer')
  t.match((await call('one_by_one', { requestState: `${requestState}x`, inputResponses })).error, { code: -32602 })
  t.match((await call('one_by_one', { requestState: `elsewhere.${requestState.split('.').slice(1).join('.')}` })).result,
    { inputRequests: { question_1: {} } }, 'one from before a restart')
  t.same(kernel.pluginFaults.faults('curious'), [])
})

t.test('a yes to a question of a tool is not consent', async t => {
  const { raw: post } = await listening(t, serving)
  const call = caller(post)
  t.match((await call('consent_by_another_name')).result, { isError: true, content: [{ text: /cannot be named 'consent'/ }] })
  const { requestState } = (await call('one_by_one')).result
  const consent = yes({ agree: true })
  const asked = (await call('open_lid', { requestState, inputResponses: { consent, question_1: consent } })).result
  t.same(Object.keys(asked.inputRequests), ['consent'])
  const agreed = (await call('open_lid', { requestState: asked.requestState, inputResponses: { consent } })).result
  t.same(Object.keys(agreed.inputRequests), ['question_1'], 'then the tool asks')
  const last = { requestState: agreed.requestState, inputResponses: { question_1: yes({ text: 'me' }) } }
  t.match((await call('open_lid', last)).result, words('opened by me'))
})

t.test('a client is asked for nothing that it did not declare', async t => {
  const { raw: post, kernel } = await listening(t, serving)
  const call = caller(post)
  t.match((await call('one_by_one', {}, {})).error,
    { code: -32021, data: { requiredCapabilities: { elicitation: {} } } })
  t.match((await call('careless', {}, {})).result, words('did without'), 'a tool may do without')
  t.same(kernel.pluginFaults.faults('curious'), [])
  t.match((await call('wrong_method')).result, { isError: true, content: [{ text: /not by 'tools\/list'/ }] })
})
