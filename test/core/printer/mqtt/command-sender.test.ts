import t from 'tap'
import { readReply, type Command } from '../../../../core/printer/mqtt/command.js'
import type { MqttConnection } from '../../../../core/printer/mqtt/mqtt-connection.js'
import { createPendingCommands } from '../../../../core/printer/mqtt/pending-commands.js'
import { createCommandSender } from '../../../../core/printer/mqtt/command-sender.js'

const PAUSE: Command = { section: 'print', command: 'pause', param: '' }
const LIGHT: Command = { section: 'system', command: 'ledctrl', led_node: 'chamber_light' }
const LIGHT_2: Command = { ...LIGHT, led_node: 'chamber_light2' }

type Taken = 'at once' | 'never' | 'lost'

interface Options {
  readonly taken?: Taken
  readonly isSubscribed?: boolean
  readonly connected?: boolean
  readonly answerMs?: number
  /** Answer to a command as it goes out; undefined none. */
  readonly answer?: (command: Command) => Record<string, unknown> | undefined
}

/** A sender over a connection that is only pretended. */
function sending ({ taken = 'at once', isSubscribed = true, connected = true, answerMs = 30, answer }: Options = {}) {
  const published: Record<string, Record<string, unknown>>[] = []
  const noted: Command[] = []
  const pending = createPendingCommands(() => 0)
  const controller = new AbortController()
  const connection = {
    connected: true,
    async publish (payload: string) {
      published.push(JSON.parse(payload))
      if (taken === 'never') await new Promise(() => {})
      if (taken === 'lost') throw new Error('Connection closed')
    }
  } as MqttConnection
  const sender = createCommandSender({
    name: 'bench',
    pending,
    signal: controller.signal,
    now: () => 0,
    timeouts: { ackMs: 40, answerMs },
    connection: () => connected ? connection : undefined,
    problem: () => connected ? undefined : 'it is off',
    isSubscribed: () => isSubscribed,
    onSend (command) {
      noted.push(command)
      queueMicrotask(() => {
        const body = answer?.(command)
        const { section, ...fields } = command
        const own = body && pending.match(section, { ...fields, ...body }, 0)
        if (own) pending.settle(own, readReply(section, { ...fields, ...body }))
      })
    },
    wire: () => undefined,
    explain: (errorNumber, reason) => `${errorNumber} ${reason}`,
    check () {}
  })
  return { sender, published, noted, pending, controller }
}

// The sender's own timers do not keep a process alive.
const alive = setInterval(() => {}, 1_000)
t.teardown(() => clearInterval(alive))

const success = () => ({ result: 'success' })

t.test('a command goes out in its envelope, with a number', async t => {
  const { sender, published, noted } = sending()
  t.equal(await sender.send(PAUSE), undefined, 'nobody asked for an answer')
  t.strictSame(published, [{ print: { command: 'pause', param: '', sequence_id: '20000' } }])
  t.strictSame(noted, [PAUSE])
})

t.test('with an answer to wait for', async t => {
  t.hasStrict(await sending({ answer: success }).sender.send(PAUSE, { replyWithin: 1_000 }), { command: 'pause', accepted: true })
  t.equal(await sending().sender.send(PAUSE, { replyWithin: 5 }), undefined, 'none came')
  t.hasStrict(await sending({ answer: () => ({ result: 'fail' }) }).sender.send(PAUSE, { replyWithin: 1_000 }), { accepted: false },
    'a refusal is an answer')
})

t.test('commands of one act follow each other, those of two never mix', async t => {
  const { sender, published } = sending({ answerMs: 1 })
  await Promise.all([sender.perform('a', [LIGHT, LIGHT_2]), sender.perform('b', [PAUSE, { ...PAUSE, command: 'stop' }])])
  t.strictSame(published.map(request => Object.values(request)[0]?.command), ['ledctrl', 'ledctrl', 'pause', 'stop'])
})

t.test('an act is confirmed by the answer to its first command', async t => {
  t.strictSame(await sending({ answer: success }).sender.perform('to pause', PAUSE), { confirmed: true })
  t.strictSame(await sending().sender.perform('to pause', PAUSE), { confirmed: false })
  t.strictSame(await sending({ answer: ({ command }) => command === 'pause' ? undefined : success() })
    .sender.perform('x', [PAUSE, LIGHT]), { confirmed: false })
})

t.test('a refused act throws, with the printer\'s reason', async t => {
  const refuse = (refused: Command) => ({
    answer: (command: Command) => command === refused ? { result: 'fail', err_code: 83935311, reason: 'busy' } : success()
  })
  await t.rejects(sending(refuse(PAUSE)).sender.perform('to pause', PAUSE),
    { code: 'PRN_ERR_REFUSED', message: "'bench' refused to pause: 83935311 busy" })
  await t.rejects(sending(refuse(LIGHT_2)).sender.perform('x', [LIGHT, LIGHT_2]), { code: 'PRN_ERR_REFUSED' })
  t.strictSame(await sending(refuse(LIGHT_2)).sender.perform('x', LIGHT, [LIGHT_2]), { confirmed: true }, 'an optional one may be')
})

t.test('a printer that wants signatures is told apart', async t => {
  const answer = () => ({ result: 'failed', reason: 'mqtt message verify failed', err_code: 84033543 })
  await t.rejects(sending({ answer }).sender.perform('to pause', PAUSE), { code: 'PRN_ERR_SIGNATURE_REQUIRED' })
})

t.test('a command that is not taken', async t => {
  await t.rejects(sending({ taken: 'never' }).sender.send(PAUSE), { code: 'PRN_ERR_SEND_TIMEOUT' })
  await t.rejects(sending({ taken: 'lost' }).sender.send(PAUSE), { code: 'PRN_ERR_COMMAND_LOST' })
  await t.rejects(sending({ taken: 'lost' }).sender.perform('x', [PAUSE, LIGHT]), { code: 'PRN_ERR_COMMAND_LOST' })
  await t.rejects(sending({ taken: 'never' }).sender.publish({ any: { thing: 1 } }), { code: 'PRN_ERR_SEND_TIMEOUT' })
})

t.test('an answer that came although the receipt is missing does not make it done', async t => {
  await t.rejects(sending({ taken: 'never', answer: success }).sender.perform('to pause', PAUSE), { code: 'PRN_ERR_SEND_TIMEOUT' })
})

t.test('without a connection nothing is noted or sent, and the reason is told', async t => {
  const { sender, published, noted } = sending({ connected: false })
  await t.rejects(sender.send(PAUSE), { code: 'PRN_ERR_NOT_CONNECTED', extra: { detail: 'it is off' } })
  await t.rejects(sender.perform('x', PAUSE), { code: 'PRN_ERR_NOT_CONNECTED' })
  await t.rejects(sender.publish({}), { code: 'PRN_ERR_NOT_CONNECTED' })
  t.strictSame([published, noted], [[], []])
})

t.test('while the reports are paused answers are not waited for', async t => {
  const { sender, published } = sending({ isSubscribed: false, answerMs: 60_000 })
  t.strictSame(await sender.perform('to pause', PAUSE), { confirmed: false })
  t.equal(published.length, 1, 'but it is sent')
})

t.test('when the session ends so do the waits', async t => {
  const { sender, controller } = sending({ answerMs: 60_000 })
  const waiting = sender.perform('to pause', PAUSE)
  setTimeout(() => controller.abort(), 5)
  t.strictSame(await waiting, { confirmed: false })
  await t.rejects(sender.send(PAUSE), { code: 'PRN_ERR_NOT_CONNECTED' })
})

t.test('a whole request is published as it is', async t => {
  const { sender, published, noted } = sending()
  await sender.publish({ print: { command: 'odd', sequence_id: '0' }, extra: { x: 1 } })
  t.strictSame(published, [{ print: { command: 'odd', sequence_id: '0' }, extra: { x: 1 } }])
  t.strictSame(noted, [], 'its answer is nobody\'s')
})

t.test('posting reports a failure to its own listener only', async t => {
  const failures: unknown[] = []
  const { sender } = sending({ taken: 'lost' })
  sender.post(error => failures.push(error), PAUSE, LIGHT)
  await new Promise(resolve => setTimeout(resolve, 20))
  t.hasStrict(failures, [{ code: 'PRN_ERR_COMMAND_LOST' }, { code: 'PRN_ERR_COMMAND_LOST' }])
})

t.test('nobody waits for answers to what is merely sent along', async t => {
  const { sender, published } = sending({ answerMs: 60_000, answer: ({ section }) => section === 'print' ? success() : undefined })
  t.strictSame(await sender.perform('to clear the error', PAUSE, [LIGHT]), { confirmed: true })
  t.strictSame(published.map(request => Object.keys(request)[0]), ['print', 'system'])
})
