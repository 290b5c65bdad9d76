import t from 'tap'
import { queueWith } from '../../../plugins/queue/index.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { recordedWith } from '../history/preset.js'
import { make3mf } from '../projects/make-3mf.js'
import { add, clear, jobOf, queueOf, sent, sliced, start, timing, until, upload, type JobView } from './helpers.js'

const box = (name: string, x: number) => ({ id: x, name, bbox: [x, 10, x + 8, 18] })
const SEVERAL = make3mf([{
  number: 1,
  filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }],
  map: { bbox_objects: [box('a', 10), box('a', 30), box('b', 50), box('wipe_tower', 70)] },
  metadata: { printer_model_id: 'BL-P001', nozzle_diameters: '0.4', prediction: '600', weight: '1.5' }
}])

t.test('what is between two prints', async t => {
  const preset = recordedWith(queueWith({ ...timing, retryMs: 20, lookMs: 20, minuteMs: 150 }))
  const booted = await start(t, { preset, config: { dataDir: testFolder(t) } })
  const { http, printer } = booted
  const row = async () => (await queueOf(booted)).printers[0] as unknown as Record<string, any>
  const change = (id: string, fields: object) => http('PATCH', `/api/queue/jobs/${id}`, fields as never)
  /** Targets of the bed, and prints, in the order in which they arrived. */
  const received = () => printer.requests.flatMap(({ command, body }) => command === 'project_file'
    ? ['print']
    : /^M140 S(\d+)/.exec(String(body.param))?.[1] ?? [])
  await upload(booted, sliced())

  await t.test('a job warms its printer first, and what is held meanwhile is cooled again', async t => {
    t.match(await http('POST', '/api/queue?dry_run=true', { file: 'cube.gcode.3mf', soak: { bed: 60 } } as never),
      { body: { found: { before_each_copy: /heated to 60 °C, for 10 min; if .* switched off and the job held/ } } })
    const { id, soak } = await add(booted, { file: 'cube.gcode.3mf', soak: { bed: 60, minutes: 40 } })
    t.same(soak, { bed: 60, chamber: null, minutes: 40, otherwise: 'ask', by: 'job' })
    await clear(booted, 'x1c')
    await eventually(async () => (await row()).why?.code === 'soaking')
    t.match(await row(), { reason: /^is kept warm for 'cube': bed 60 of 60 °C, \d+ more min$/, is_ready: false })
    const { groups } = (await http('GET', '/api/queue/board')).body as { groups: any[] }
    t.match(groups[0]?.runs, [{ state: 'preparing', why: { code: 'soaking' } }])
    await change(id, { act: 'hold' })
    await until(booted, id, ({ runs }) => runs[0]?.state === 'not_started')
    t.same(received(), ['60', '0'], 'nothing was printed')
    t.match(await row(), { plate: 'clear', reason: '' })
    await change(id, { soak: { bed: 55, chamber: null, minutes: 1 } })
    await change(id, { act: 'release' })
    t.match(await until(booted, id, ({ state }) => state === 'done'), { finished: 1 })
    t.same(received(), ['60', '0', '55', 'print'], 'the print takes over the heat')
    t.match(await http('POST', '/api/queue', { file: 'cube.gcode.3mf', soak: { bed: 200 } } as never), { status: 400 })
    await eventually(async () => (await booted.kernel.services.queue.store.heats()).size === 0)
  })

  await t.test('a job that says nothing of warming gets what the table of materials says', async t => {
    const table = (rows: object[]) => http('PATCH', '/api/queue/warming', { rows, otherwise: 'ask' } as never)
    const file = { file: 'cube.gcode.3mf' }
    t.match((await http('GET', '/api/queue/warming')).body, { rows: [] }, 'off until somebody chooses it')
    t.match(await table([{ material: 'pla', bed: 45, chamber: null, minutes: 1 }]), { status: 200, body: { rows: [{ material: 'PLA' }] } })
    const old = { rows: [], otherwise: 'ask', revision: 0 } as never
    for (const query of ['', '?dry_run=true']) {
      t.match(await http('PATCH', `/api/queue/warming${query}`, old), { status: 409, body: { error: 'settings_changed' } }, 'of a page that was opened before')
    }
    t.match(await http('POST', '/api/queue?dry_run=true', file as never), { body: { found: { before_each_copy: /^by the table of materials.*45 °C/ } } })
    const own = await add(booted, { ...file, soak: null })
    t.equal(own.soak, null, 'a job may want none')
    await change(own.id, { act: 'cancel' })
    const before = received().length
    const { id, soak } = await add(booted, file)
    t.same(soak, { bed: 45, chamber: null, minutes: 1, otherwise: 'ask', by: 'material' })
    await eventually(async () => (await clear(booted, 'x1c')).status === 200)
    await until(booted, id, ({ state }) => state === 'done')
    t.same(received().slice(before), ['45', 'print'])
    await table([])
    t.equal((await jobOf(booted, id)).soak, null)
    await eventually(async () => (await booted.kernel.services.queue.store.heats()).size === 0)
  })

  await t.test('a printer on which prints fail in a row is held, until it is released', async t => {
    const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 5, retries: 5 })
    for (let failed = 1; failed <= 2; failed++) {
      await eventually(async () => (await clear(booted, 'x1c')).status === 200)
      await until(booted, id, ({ state }) => state === 'printing')
      printer.patch({ gcode_state: 'FAILED', print_error: 0x03008004 })
      await until(booted, id, ({ runs }) => runs.filter(({ state }) => state === 'failed').length === failed)
      await http('POST', '/api/clear_print_error', { printer: 'x1c' })
      await change(id, { act: 'retry' })
    }
    const prints = sent(printer).length
    await eventually(async () => (await clear(booted, 'x1c')).status === 200)
    await eventually(async () => /^held after failed prints in a row \(2\)/.test((await row()).reason))
    t.match(await row(), { plate: 'clear', is_ready: false, failures: { in_a_row: 2, most: 2, is_usual: true, stopped_at: Number } })
    t.equal(sent(printer).length, prints, 'nothing is started on a plate that somebody has cleared')
    t.match(booted.kernel.services.queue.statusOf('x1c'), { stopped: { failures: 2 } })
    const seen = (await row()).failures.stopped_at as number
    t.match(await http('POST', '/api/queue/release', { printer: 'x1c', stopped_at: seen - 1 }), { status: 409, body: { error: 'queue_not_stopped' } })
    t.match(await http('PATCH', '/api/queue/failures', { printer: 'x1c', most: 5 } as never), { status: 200, body: { most: 5 } })
    t.match(await http('POST', '/api/queue/release', { printer: 'x1c', stopped_at: seen }), { status: 200 })
    await until(booted, id, ({ finished }) => finished === 1)
    t.match(await row(), { failures: { in_a_row: 0, most: 5, is_usual: false, stopped_at: null } })
    await change(id, { act: 'cancel' })
  })

  await t.test('a job is queued and counted by parts', async t => {
    const single = (await http('GET', '/api/history/statistics')).body.parts as number
    const { body: { id: file, plates } } = await upload(booted, SEVERAL, 'several.gcode.3mf')
    t.match(plates, [{ parts: 3, parts_by: 'slicer' }], 'without the wipe tower')
    const job: JobView = await add(booted, { file: 'several.gcode.3mf', parts: 10 })
    t.match(job, { copies: 4, parts: { per_copy: 3, finished: 0, wanted: 10 } })
    await clear(booted, 'x1c')
    await until(booted, job.id, ({ finished }) => finished === 1)
    t.match(await jobOf(booted, job.id), { parts: { finished: 3, wanted: 10 }, waiting: 3 })
    await eventually(async () => (await http('GET', '/api/history/statistics')).body.parts === 3 + single)
    t.match((await http('GET', '/api/history')).body, { prints: [{ job: job.id, result: 'finished', parts: 3 }] })
    t.match(await http('PATCH', `/api/queue/files/${file}`, { plate: 1, parts: 2 } as never), { body: { plates: [{ parts: 2, parts_by: 'person' }] } })
    t.match(await jobOf(booted, job.id), { parts: { per_copy: 2, finished: 2, wanted: 10 } })
    t.match(await http('PATCH', `/api/queue/files/${file}`, { plate: 7, parts: 2 } as never), { status: 404 })
    t.match(await http('PATCH', `/api/queue/files/${file}`, { plate: 1, parts: null } as never), { body: { plates: [{ parts: 3 }] } })
  })

  await t.test('what is warmed when the service ends is switched off', async t => {
    const { jobs } = await queueOf(booted)
    for (const { id } of jobs) await change(id, { act: 'cancel' })
    const before = received().length
    await add(booted, { file: 'cube.gcode.3mf', soak: { bed: 50, minutes: 45 } })
    await eventually(async () => (await clear(booted, 'x1c')).status === 200)
    await eventually(async () => (await row()).why?.code === 'soaking')
    await booted.kernel.close()
    t.same(received().slice(before), ['50', '0'])
  })
})
