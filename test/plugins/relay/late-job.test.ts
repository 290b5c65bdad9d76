import { EventEmitter } from 'node:events'
import t from 'tap'
import { resolveModel, type AnyOperation } from '../../../core/index.js'
import { WRITING } from '../../../plugins/relay/commands.data.js'
import type { Protection } from '../../../plugins/files/index.js'
import { createMqttRelay, type MqttRelayOptions } from '../../../plugins/relay/mqtt.js'
import { eventually } from '../../helpers/eventually.js'

t.test('a print over the relay is not sent if a job has begun while its plate was read', async t => {
  let isBusy = false
  const sent: unknown[] = []
  const operation = { name: 'projects.print', guards: [() => { if (isBusy) throw new Error('a job has begun') }] }
  const session = {
    name: 'x1c',
    model: resolveModel('X1C'),
    events: new EventEmitter(),
    config: {},
    exclusively: async (_why: string, work: (over: AbortSignal) => Promise<void>) =>
      await work(new AbortController().signal),
    send: async ({ command }: { command: unknown }) => { sent.push(command) }
  }
  Object.assign(session.events, { on: () => () => {} })
  const refused: string[] = []
  const protections: Protection[] = []
  const held: unknown[] = []
  const relay = createMqttRelay({
    kernel: {
      operations: new Map([[operation.name, operation as unknown as AnyOperation]]),
      call: async (act: AnyOperation) => { await (act.run as (context: object) => Promise<void>)({ session }) },
      redact: (text: string) => text,
      now: () => 0,
      signal: new AbortController().signal
    },
    log: { info () {}, warn () {}, debug () {} },
    printer: 'x1c',
    peers: () => [],
    ownAddress: () => ({}),
    protect (protection: Protection) {
      protections.push(protection)
      return () => { protections.length = 0 }
    },
    plates: {
      async check () {
        isBusy = sent.length > 0
        held.push(protections.map(protection => protection(session as never, '/cube.3mf')))
      }
    }
  } as unknown as MqttRelayOptions)
  relay.follow(session as never)
  const who = { name: 'Ann', access: 'full', signal: new AbortController().signal }
  const peer = { who, publish: (text: unknown) => { refused.push(String(text)) }, localAddress: '' }
  const print = { command: 'project_file', param: 'Metadata/plate_1.gcode', url: 'ftp://cube.3mf', sequence_id: '1' }
  const ask = async () => { await relay.requested(Buffer.from(JSON.stringify({ print })), peer as never) }
  await ask()
  await eventually(() => sent.length === 1)
  await ask()
  await eventually(() => refused.length === 1)
  t.match(held, [[/is about to print '\/cube.3mf'/], [/is about to print/]], 'nobody replaces the file meanwhile')
  t.same(protections, [])
  t.same(sent, ['project_file'])
  t.match(refused, [/a job has begun/])
  t.equal(WRITING['print.gcode_file'], 'projects.print', 'a start of a file is one too')
})
