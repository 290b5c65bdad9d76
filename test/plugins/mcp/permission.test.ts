// What an agent may do with consent, on states in which it can be done: the flag that says so reaches no operation.
import t from 'tap'
import { Type } from 'typebox'
import { definePlugin, operation, tool as toolOf } from '../../../core/index.js'
import { boot } from '../../helpers/boot-features.js'
import * as whole from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { TOOLS } from '../../contract/tools.data.js'
import { FAST, fastDaemon, sliced, upload } from '../queue/helpers.js'
import { startReceiver } from '../notify/receiver.js'

const FLAG = /user_permission/

t.test('an operation is given what it declares, from whatever tool it is asked', async t => {
  const seen: unknown[] = []
  const Input = Type.Object({ note: Type.Optional(Type.String()) })
  const make = <S extends 'daemon' | 'printer'>(name: string, scope: S, effect: 'read' | 'write' | 'local') => operation({
    name,
    scope,
    effect,
    summary: 'Tries something out',
    consequence: 'None.',
    input: Input,
    output: Type.Object({}),
    run (_: unknown, input: unknown) { seen.push(input); return {} }
  })
  const kinds = [
    ['daemon', 'read'], ['daemon', 'write'], ['daemon', 'local'], ['printer', 'read'], ['printer', 'write']
  ] as const
  const faces = kinds
    .flatMap(([scope, effect]) => {
      const tried = make(`tryout.${scope}${effect}`, scope, effect)
      const name = `try_${scope}_${effect}`
      return [toolOf(tried, { name }), toolOf(tried, { name: `${name}_mapped`, params: Input, input: params => params })]
    })
  const plugin = definePlugin({ name: 'tryout', version: '1.0.0', kernel: '^2.0.0', contributes: { tools: faces } })
  const { client } = await boot(t, { plugins: [plugin] })
  for (const { name } of faces) {
    const { isError, content } = await client.callTool({ name, arguments: { name: 'x1c', note: 'kept', user_permission: true } })
    t.not(isError, true, `${name}: ${JSON.stringify(content)}`)
    t.same(seen.splice(0), [{ note: 'kept' }], name)
  }
})

/** Those of the walk below; all others are called with consent by the contract. */
const WALKED = [
  'queue_job', 'update_job', 'pause_queue', 'confirm_plate_clear', 'cancel_job', 'annotate_print', 'reprint', 'delete_print',
  'assign_spool', 'start_recording', 'set_recording_settings', 'delete_recording', 'send_test_message',
  'ignore_fault', 'give_up_start'
]

t.test('everything that asks for consent does what it is there for', async t => {
  const { url } = await startReceiver(t)
  const booted = await whole.boot(t, {
    preset: fastDaemon,
    models: [{ ...FAST, model: 'X1C', name: 'x1c', camera: { width: 320, height: 180, fps: 5 } }],
    config: { plugins: { notify: { targets: { hook: { type: 'webhook', url } } } } }
  })
  const { client, http, tool } = booted
  const { tools } = await client.listTools()
  const asking = tools.filter(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, 'user_permission'))
    .map(({ name }) => name)
  const contract = new Set(TOOLS.map(({ name }) => name))
  t.same(asking.filter(name => !contract.has(name) && !WALKED.includes(name)), [], 'no tool is left out')

  const does = async (name: string, args: object, expected: object) => {
    const { text, value, failed } = await tool(name, { ...args, user_permission: true })
    t.notMatch(text, FLAG, name)
    t.equal(failed, false, `${name}: ${text}`)
    t.match(value, expected, `${name} ${JSON.stringify(args)}: ${text}`)
    return value
  }
  await upload(booted, sliced())
  await does('pause_queue', { paused: true }, {})
  const { id } = await does('queue_job', { file: 'cube.gcode.3mf', copies: 2 }, { state: 'waiting' }) as { id: string }
  const other = await does('queue_job', { file: 'cube.gcode.3mf' }, {}) as { id: string }
  await does('update_job', { id, act: 'hold' }, { id, held: true })
  await does('update_job', { id, act: 'release' }, { id, held: false })
  await does('update_job', { id: other.id, before: 'first' }, { id: other.id })
  await does('update_job', { id, before: other.id }, { id })
  await does('update_job', { id, act: 'cancel' }, { id, state: 'cancelled' })
  await does('update_job', { id, act: 'retry' }, { id, state: 'waiting' })
  await does('cancel_job', { id }, { state: 'cancelled' })
  await does('pause_queue', { paused: false }, {})
  await does('confirm_plate_clear', { name: 'x1c' }, { plate: 'clear' })
  const prints = async () => (await http('GET', '/api/history')).body.prints as { id: string, result: string }[]
  await eventually(async () => (await prints())[0]?.result === 'finished', 60_000)
  const print = (await prints())[0]?.id ?? ''
  await does('annotate_print', { id: print, note: 'good', rating: 5, tags: ['one'], result: 'failed' }, { note: 'good', rating: 5 })
  await does('reprint', { id: print, accept_mismatch: true }, { outcome: 'started' })
  await eventually(async () => (await prints()).length === 2 && (await prints())[0]?.result === 'finished', 60_000)
  await does('delete_print', { id: print }, { id: print })

  const spool = (await http('POST', '/api/spools', { name: 'white', material: 'PLA' })).body.id as string
  const place = (await http('GET', '/api/spools')).body.slots[0]?.place as string
  await does('assign_spool', { printer: 'x1c', place, spool }, { spool })
  const recording = await does('start_recording', { name: 'x1c', seconds: 600 }, { printer: 'x1c' })
  await does('stop_recording', { id: recording.id }, {})
  await does('set_recording_settings', { name: 'x1c', evidence: false }, { evidence: false })
  await eventually(async () => (await http('GET', `/api/recordings/${recording.id}`)).body.status !== 'recording')
  await does('delete_recording', { id: recording.id }, {})
  await does('send_test_message', { target: 'hook' }, {})

  const code = 'HMS_0300-0700-0001-0003'
  await does('ignore_fault', { name: 'x1c', code }, { ignored: [{ code }] })
  await does('ignore_fault', { name: 'x1c', code, ignore: false }, { ignored: [] })
  booted.printer.faults.startOddly({ kind: 'late' })
  await does('reprint', { id: (await prints())[0]?.id, accept_mismatch: true }, {})
  await does('give_up_start', { name: 'x1c' }, {})

  // The records of the service hold nothing of it either.
  t.notMatch((await http('GET', '/api/recording_settings', { printer: 'x1c' })).text, FLAG)
  t.notMatch((await http('GET', '/api/spools')).text, FLAG)
})
