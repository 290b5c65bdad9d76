import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { canAsk, consentForm } from '../../../plugins/mcp/consent.js'
import { defineRawTool } from '../../../plugins/mcp/index.js'
import daemon from '../../../presets/daemon/index.js'
import { answerOf, listening, type Listening } from './connect.js'
import { connectStateless, statelessRequest } from './connect-stateless.js'

const CAN_ASK = { elicitation: { form: {} } }
const YES = { action: 'accept', content: { agree: true } } as const
const REFUSAL = /^Error: user_permission must be True to perform this action\. /

const lid = definePlugin({
  name: 'lid',
  version: '1.0.0',
  kernel: '^2.0.0',
  contributes: {
    rawTools: [defineRawTool({
      effect: 'write',
      consequence: 'The lid opens.',
      definition: { name: 'open_lid', inputSchema: { type: 'object', properties: { how: { type: 'string' } } } },
      run: ({ how }) => ({ content: [{ type: 'text', text: `opened ${how}` }] })
    })]
  }
})
const preset = definePreset({ name: 'daemon', plugins: [daemon.plugins, lid] })

type Answer = { action: 'accept' | 'decline' | 'cancel', content?: Record<string, boolean> }
interface Person {
  readonly questions: string[]
  call (name: string, args?: object): Promise<{ text: string, isError: boolean }>
}

const wordsOf = (result: any) => ({ text: result.content[0].text, isError: result.isError === true })

/** Clients of both revisions before a person who always gives the same answer. */
async function people (t: Test, { url, connect }: Listening, answer: Answer): Promise<Record<string, Person>> {
  const [before, now]: string[][] = [[], []]
  const old = await connect({ capabilities: CAN_ASK })
  old.client.setRequestHandler(ElicitRequestSchema, ({ params }) => { before?.push(params.message); return answer })
  const client = await connectStateless(t, url, { capabilities: CAN_ASK })
  client.setRequestHandler('elicitation/create', ({ params }) => { now?.push(params.message); return answer })
  return {
    '2025-11-25': {
      questions: before ?? [],
      call: async (name, args = {}) => wordsOf(await old.client.callTool({ name, arguments: { ...args } }))
    },
    '2026-07-28': {
      questions: now ?? [],
      call: async (name, args = {}) => wordsOf(await client.callTool({ name, arguments: { ...args } }))
    }
  }
}

t.test('where the person can be asked, their yes is the permission', async t => {
  const service = await listening(t, { preset })
  const { name } = service
  for (const [revision, { questions, call }] of Object.entries(await people(t, service, YES))) {
    t.match((await call('set_bed_temp', { name, temp: 50 })).text, /set to 50°C/, revision)
    t.match(questions.at(-1), `set_bed_temp {"name":"${name}","temp":50}`)
    t.equal((await call('open_lid', { how: 'slowly' })).text, 'opened slowly', revision)
    t.match(questions.at(-1), 'Open Lid: The lid opens.\nopen_lid {"how":"slowly"}')
    const asked = questions.length
    t.equal((await call('open_lid', { how: 'at once', user_permission: true })).text, 'opened at once')
    t.equal(questions.length, asked, 'who has permission is not asked')
  }
})

t.test('anything but a yes is a no, and is told from a missing permission', async t => {
  const service = await listening(t, { preset })
  const unticked = { action: 'accept', content: { agree: false } } as const
  for (const answer of [{ action: 'decline' }, { action: 'cancel' }, unticked] as const) {
    for (const [revision, { questions, call }] of Object.entries(await people(t, service, answer))) {
      const { text, isError } = await call('open_lid')
      t.equal(text, 'Error: the user was asked and did not agree. The lid opens.', `${revision} ${answer.action}`)
      t.ok(isError)
      t.equal(questions.length, 1)
    }
  }
})

t.test('clients that cannot ask, and services that are not to, refuse as specified', async t => {
  const service = await listening(t, { preset })
  const silent = await connectStateless(t, service.url)
  t.match(wordsOf(await silent.callTool({ name: 'open_lid', arguments: {} })).text, REFUSAL)
  const off = await listening(t, { preset, config: { plugins: { mcp: { askConsent: false } } } })
  for (const { questions, call } of Object.values(await people(t, off, YES))) {
    t.match((await call('open_lid')).text, REFUSAL)
    t.same(questions, [])
  }
})

t.test('an answer counts for the act that was asked about', async t => {
  const { raw } = await listening(t, { models: [], preset })
  const call = async (args: object, more: object = {}) => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': CAN_ASK }
    const request = statelessRequest('tools/call', { name: 'open_lid', arguments: args, _meta, ...more })
    return (await answerOf(await raw('POST', request))).result
  }
  const yes = { consent: YES }
  const first = await call({ how: 'slowly' })
  t.match(first, {
    resultType: 'input_required',
    inputRequests: { consent: { method: 'elicitation/create', params: { message: /The lid opens/ } } },
    requestState: String
  })
  const { requestState } = first
  t.match(await call({ how: 'slowly' }, { inputResponses: yes }), { resultType: 'input_required' }, 'an answer alone')
  t.match(await call({ how: 'fast' }, { inputResponses: yes, requestState }), { resultType: 'input_required' }, 'another act')
  t.match(await call({ how: 'slowly' }, { inputResponses: yes, requestState: 'v1.e30.AAAA' }),
    { resultType: 'input_required' }, 'a state that is not ours')
  t.match(await call({ how: 'slowly' }, { requestState }), { resultType: 'input_required' }, 'no answer')
  t.match(await call({ how: 'slowly' }, { inputResponses: yes, requestState }), { content: [{ text: 'opened slowly' }] })
})

t.test('who can ask, and what is shown of what an agent wrote', async t => {
  t.notOk(canAsk({}))
  t.ok(canAsk({ elicitation: {} }), 'before there were modes')
  t.ok(canAsk({ elicitation: { form: {}, url: {} } }))
  t.notOk(canAsk({ elicitation: { url: {} } }), 'a page to open is no form')
  const { message } = consentForm({ tool: 'x', title: 'X', consequence: 'It moves.', args: { gcode: 'G1 '.repeat(1_000) } })
  t.ok(message.length < 700)
  t.match(message, /^X: It moves\.\nx \{"gcode":"G1 .*…\n/)
})

t.test('of a long text the end is asked about too, and how much is not shown', async t => {
  const { message } = consentForm({ tool: 'x', title: 'X', consequence: 'It moves.', args: { gcode: `${'G4 '.repeat(400)}M104 S300` } })
  t.match(message, /M104 S300"\}$/)
  t.match(message, /\n6\d\d more characters are not shown/)
})
