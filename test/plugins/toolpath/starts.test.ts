import t from 'tap'
import audit from '../../../plugins/audit/index.js'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { recordedWith } from '../history/preset.js'
import { add, clear, queueOf, timing, until, upload } from '../queue/helpers.js'
import { CHANGED, GOOD, OUTSIDE } from './faulty-plates.js'

const sent = ({ requests }: VirtualPrinter) => requests.filter(({ command }) => command === 'project_file')
const WHERE = /Line \d+, layer 2: .*300/

t.test('a plate that must not be printed is refused however it is started', async t => {
  const booted = await boot(t, {
    preset: recordedWith(audit, toolpath, queueWith({ ...timing, retryMs: 60_000 })), models: [{ model: 'X1C', name: 'x1c', speed: 60, reportEveryMs: 50 }]
  })
  const { http, tool, printer, kernel } = booted
  await printer.card.put('/outside.3mf', OUTSIDE)
  await printer.card.put('/changed.3mf', CHANGED)
  await printer.card.put('/good.3mf', GOOD)
  const print = async (filename: string, more: object = {}) =>
    await http('POST', '/api/print_3mf', { printer: 'x1c', filename, use_ams: true, accept_mismatch: true, ...more } as never)
  const ended = async () => {
    printer.stopJob()
    await kernel.printers.resolve('x1c').until(({ job }) => ['FAILED', 'FINISH'].includes(job.gcodeState), 30_000)
  }
  /** The queue has seen the last print end. */
  const cleared = () => eventually(async () => {
    await clear(booted, 'x1c')
    return (await queueOf(booted)).printers[0]?.plate === 'clear'
  }, 30_000)

  await t.test('by HTTP, with place and remedy, whatever is accepted', async t => {
    for (const more of [{}, { accept_findings: ['outside_area'] }]) {
      const { status, body } = await print('/outside.3mf', more)
      t.equal(status, 409, JSON.stringify(body))
      t.match(body, { reason: WHERE, detail: WHERE, findings: [{ code: 'outside_area', weight: 'stop', may_accept: false, layer: 2 }] })
    }
    t.same(sent(printer), [])
  })

  await t.test('by a tool', async t => {
    const answer = await tool('print_file', { name: 'x1c', file_path: '/outside.3mf', accept_mismatch: true, user_permission: true })
    t.match(JSON.stringify(answer), WHERE)
    t.same(sent(printer), [])
  })

  await t.test('by the queue, which says so once and sends no file', async t => {
    const alerts: { type: string, payload: Record<string, unknown> }[] = []
    kernel.events.on('alert', alert => { alerts.push(alert as never) })
    const { body: { id: file } } = await upload(booted, OUTSIDE, 'outside.gcode.3mf')
    await clear(booted, 'x1c')
    const { id } = await add(booted, { file })
    const { runs } = await until(booted, id, ({ runs }) => runs.some(({ state }) => state === 'not_started'))
    t.match(runs[0]?.reason, WHERE)
    t.match(alerts.filter(({ type }) => type === 'queue_blocked'), [{ payload: { job: id, reason: WHERE } }])
    t.same(sent(printer), [])
    t.same((await printer.card.files()).filter(path => path.startsWith('/outside-')), [])
    await http('PATCH', `/api/queue/jobs/${id}`, { act: 'cancel' } as never)
  })

  await t.test('what a person may accept is printed once it is accepted by name, and that is recorded', async t => {
    t.match(await print('/changed.3mf'), {
      status: 409, body: { reason: /accept_findings \["md5_mismatch"\]/, findings: [{ code: 'md5_mismatch', may_accept: true }] }
    })
    t.match((await print('/changed.3mf', { accept_findings: ['cold_extrusion'] })).status, 409)
    t.same(sent(printer), [])
    const { status, body } = await print('/changed.3mf', { accept_findings: ['md5_mismatch'] })
    t.equal(status, 200, JSON.stringify(body))
    t.match(body, { findings: [{ code: 'md5_mismatch' }], unread: '' })
    t.equal(sent(printer).length, 1)
    await eventually(async () => JSON.stringify((await http('GET', '/api/audit')).body).includes('accepts md5_mismatch'))
    const prints = async () => (await http('GET', '/api/history')).body.prints as Record<string, unknown>[]
    await eventually(async () => (await prints())[0]?.project_path === '/changed.3mf')
    const [newest] = await prints()
    await ended()
    t.same(newest?.accepted_findings, ['md5_mismatch'])
    t.match(await http('POST', `/api/history/${newest?.id}/reprint`, { accept_mismatch: true } as never), {
      status: 409, body: { findings: [{ code: 'md5_mismatch' }] }
    })
    t.equal(sent(printer).length, 1)
  })

  await t.test('a good plate is printed without a word, also by the queue', async t => {
    t.match(await print('/good.3mf'), { status: 200, body: { findings: [], unread: '' } })
    t.equal(sent(printer).length, 2)
    await ended()
    const { body: { id: file } } = await upload(booted, GOOD, 'good.gcode.3mf')
    await cleared()
    const { id } = await add(booted, { file })
    await until(booted, id, ({ state }) => state === 'printing' || state === 'done')
    t.equal(sent(printer).length, 3)
  })

  await t.test('the queue prints what its job accepts', async t => {
    await ended()
    const { body: { id: file } } = await upload(booted, CHANGED, 'changed.gcode.3mf')
    await cleared()
    const { id } = await add(booted, { file, accept_findings: ['md5_mismatch'] })
    const job = await until(booted, id, ({ state }) => state === 'printing' || state === 'done')
    t.same(job.accept_findings, ['md5_mismatch'])
    t.equal(sent(printer).length, 4)
  })
})
