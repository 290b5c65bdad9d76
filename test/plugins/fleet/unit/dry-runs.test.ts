import t, { type Test } from 'tap'
import { Type } from 'typebox'
import type { Kernel, RemoteHolder } from '../../../../core/index.js'
import { rehearse } from '../../../../core/kernel/rehearse.js'
import { operation } from '../../../../core/kernel/operation.js'
import { Caller, type CallerDeps } from '../../../../plugins/fleet/hub/caller.js'
import { namesOf } from '../../../../plugins/fleet/names.js'
import { Calls, type CallsOptions } from '../../../../plugins/fleet/node/calls.js'
import { createCallVerifier } from '../../../../plugins/fleet/node/verify-call.js'
import { signMessage, verifyMessage } from '../../../../plugins/fleet/signed-message.js'
import { eventually } from '../../../helpers/eventually.js'
import { newKey } from '../keys.js'

const PLACE = 'hall/a'
const RUN = 'the run of the node'
const HEAT = operation({
  name: 'climate.setBedTarget',
  summary: 'Heat',
  effect: 'write',
  consequence: 'It is hot.',
  input: Type.Object({ celsius: Type.Number() }),
  output: Type.Object({}),
  run: () => ({})
})
const ANSWER = {
  dry_run: true,
  operation: HEAT.name,
  printer: 'p1s',
  consequence: 'It is hot.',
  checked: ['access', 'input', 'printer'],
  unchecked: ['whether the printer accepts it'],
  sends: [{ command: 'gcode_line' }],
  cost: null,
  found: null
}

interface Sent { readonly subject: string, readonly data: Buffer }

/** A broker in memory: exact subjects, and a star as the last part. */
function memoryBroker () {
  const listeners: { subject: string, take (sent: Sent): void }[] = []
  const sent: Sent[] = []
  const nats = {
    subscribe (subject: string, { callback }: { callback: (error: null, message: Sent) => void }) {
      listeners.push({ subject, take: message => callback(null, message) })
    },
    publish (subject: string, data: Buffer) {
      sent.push({ subject, data })
      const star = subject.replace(/[^.]*$/, '*')
      for (const one of listeners.filter(known => [subject, star].includes(known.subject))) {
        setImmediate(() => one.take({ subject, data }))
      }
    },
    isClosed: () => false,
    flush: async () => {}
  }
  return { nats, sent, link: { nats, connected: true, opened: Promise.resolve(nats), onConnect () {} } }
}

interface NodeOptions {
  /** As its heartbeats say. */
  readonly abilities?: readonly string[]
  /** It knows calls only, and does what they ask for. */
  readonly isOld?: boolean
}

/** A hub and a node with one printer. */
function fleetOf (t: Test, { abilities, isOld = false }: NodeOptions) {
  const { nats, sent, link } = memoryBroker()
  const names = namesOf('main')
  const [hubKey, nodeKey] = [newKey(), newKey()]
  const done: string[] = []
  const asked: object[] = []
  const kernel = {
    operations: new Map([[HEAT.name, HEAT]]),
    printers: { get: () => ({ name: 'p1s' }) },
    call: async (_: object, input: object) => { done.push(JSON.stringify(input)); return {} },
    rehearse: async (_: object, input: object, options: object) => { asked.push({ input, ...options }); return ANSWER },
    redact: (text: string) => text
  }
  const subjectOf = (kind: string) => `${names.call('hall', 'a')}.${kind}`
  const hubKeys = { has: (key: string) => key === hubKey.publicKey }
  const node = (kind: 'do' | 'try') => {
    const subject = subjectOf(kind)
    const verify = createCallVerifier({ subject, isTrial: kind === 'try', hubKeys, run: RUN, onUnproven () {} })
    const verifyOld = (message: Uint8Array) => {
      const verified = verifyMessage(message, subject, hubKeys.has)
      return verified && { request: JSON.parse(verified.content.toString()), hub: verified.publicKey }
    }
    const calls = new Calls({
      kernel,
      isTrial: kind === 'try',
      heartbeat: { isRecent: () => true },
      signingKey: nodeKey,
      verify: isOld ? verifyOld : verify,
      epoch: () => undefined,
      onDone () {}
    } as unknown as CallsOptions)
    t.teardown(() => calls.close())
    return calls
  }
  for (const kind of isOld ? ['do'] as const : ['do', 'try'] as const) {
    const calls = node(kind)
    const onFailure = (error: Error) => { t.fail(error.message) }
    nats.subscribe(subjectOf(kind), { callback: (_, { data }) => calls.take(data, nats as never, onFailure) })
  }
  const caller = new Caller({
    link,
    names,
    directory: { of: () => ({ site: 'hall', node: 'a', run: RUN, number: 1, version: '2.0.0', abilities }) },
    signingKey: hubKey,
    keys: { is: (_: string, key: string) => key === nodeKey.publicKey },
    reachability: { whyNotAsk: () => undefined }
  } as unknown as CallerDeps)
  const to = { place: PLACE, printer: 'p1s', shown: 'p1s@hall', epoch: undefined }
  const holder: RemoteHolder = {
    name: PLACE,
    reachable: true,
    call: (name, input, options) => caller.call(to, name, input, options),
    rehearse: (name, input, options) => caller.rehearse(to, name, input, options)
  }
  const hub = hubOf(holder)
  const attempt = (signal?: AbortSignal) =>
    rehearse(hub, HEAT, { celsius: 60 }, { printer: 'p1s@hall', caller: 'network', surface: 'http', ...(signal && { signal }) })
  return { attempt, done, asked, sent, subjectOf, hubKey, nats, holder }
}

/** Bytes before the content of a signed message: version, key, signature. */
const HEAD_BYTES = 97
/** The content of a message, with another inbox, so that it is no copy and its sender waits on. */
const unanswered = (message: Buffer): string =>
  message.subarray(HEAD_BYTES).toString().replace(/"reply":"[^"]*"/, '"reply":"another"')

const hubOf = (holder: RemoteHolder): Kernel => ({
  signal: new AbortController().signal,
  originOf: () => undefined,
  apiPort: 1,
  config: { api: {} },
  printers: { resolve: () => ({ name: 'p1s@hall', remote: holder }), holderOf: () => holder }
}) as unknown as Kernel

t.test('a dry run at a hub is answered by the node that has the printer, and nothing is done', async t => {
  const { attempt, done, asked, sent, subjectOf } = fleetOf(t, { abilities: ['dry-runs'] })
  t.same(await attempt(), { ...ANSWER, printer: 'p1s@hall' }, 'its answer, with the name of the printer here')
  t.match(asked, [{ input: { celsius: 60 }, printer: 'p1s', caller: 'network', surface: 'http' }])
  t.same(done, [])
  t.notOk(sent.some(({ subject }) => subject === subjectOf('do')))
})

t.test('a node of an older version is not asked, and the refusal says what to update', async t => {
  const { attempt, done, sent } = fleetOf(t, { isOld: true })
  await t.rejects(attempt(), {
    code: 'PRN_ERR_NO_DRY_RUN', message: /'hall\/a'.* version of prnd, 2\.0\.0.*Nothing was sent.*Update prnd on that service/
  })
  t.same([sent, done], [[], []])
})

t.test('an older node that is taken for a newer one never does what was only to be tried', async t => {
  const { attempt, done, sent, subjectOf, nats, hubKey } = fleetOf(t, { isOld: true, abilities: ['dry-runs'] })
  const controller = new AbortController()
  const outcome = t.rejects(attempt(controller.signal), /gone/)
  await eventually(() => sent.length > 0)
  t.same(sent.map(({ subject }) => subject), [subjectOf('try')], 'it does not listen to that')
  const [{ data } = { data: Buffer.of() }] = sent
  nats.publish(subjectOf('do'), data)
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  t.same(done, [], 'nor does it when somebody sends it on, as the signature covers the subject')
  nats.publish(subjectOf('do'), signMessage(hubKey, subjectOf('do'), unanswered(data)))
  await eventually(() => done.length > 0) // the request itself is one that it would do
  controller.abort(new Error('gone'))
  await outcome
})

t.test('a newer node does nothing that says it is a dry run, and rehearses nothing that does not', async t => {
  const { done, asked, subjectOf, nats, hubKey, attempt, sent, holder } = fleetOf(t, { abilities: ['dry-runs'] })
  await attempt()
  const trial = sent[0]?.data ?? Buffer.of()
  const options = { isRead: false, caller: undefined, host: '', surface: undefined, signal: new AbortController().signal, progress () {} }
  await holder.call(HEAT.name, { celsius: 70 }, options)
  const real = sent.find(({ subject }) => subject === subjectOf('do'))?.data ?? Buffer.of()
  t.same([done, asked.length], [['{"celsius":70}'], 1])
  for (const [kind, content] of [['do', trial], ['try', real]] as const) {
    nats.publish(subjectOf(kind), signMessage(hubKey, subjectOf(kind), unanswered(content)))
  }
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  t.same([done.length, asked.length], [1, 1])
})

t.test('an answer that is none is not taken for one, and a budget is checked before a node is asked', async t => {
  const asked: string[] = []
  const holder = {
    name: PLACE, reachable: true, rehearse: async (name: string) => { asked.push(name); return { confirmed: true } }
  } as unknown as RemoteHolder
  const hub = hubOf(holder)
  await t.rejects(rehearse(hub, HEAT, { celsius: 60 }), { code: 'PRN_ERR_NO_DRY_RUN', message: /hall\/a.*understood/ })
  const spends = async () => ({ cost: { prints: 1, grams: undefined, hours: undefined } })
  const budget = { check: async () => { throw new Error('nothing is left') } }
  const caller = { name: 'robot', role: 'operate', printers: undefined, budget }
  const printing = { ...HEAT, spends } as never
  await t.rejects(rehearse(hub, printing, { celsius: 60 } as never, { caller } as never), /nothing is left/)
  t.same(asked, [HEAT.name], 'the node was not asked a second time')
})
