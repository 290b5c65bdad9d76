import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { add, clear, FAST, jobOf, queueOf, sent, sliced, start, until, upload } from './helpers.js'

const TWO = [{ model: 'X1C', name: 'one', ...FAST }, { model: 'X1C', name: 'two', ...FAST }] as const

t.test('what cannot be is refused by name, and what is odd is taken as it is said', async t => {
  const booted = await start(t, { config: { dataDir: testFolder(t) } })
  const { http, tool } = booted
  await upload(booted, sliced({ plates: 2 }))
  const file = 'cube.gcode.3mf'
  const refused: readonly (readonly [fields: object, status: number, reason: RegExp])[] = [
    [{ copies: 0 }, 400, /copies/],
    [{ copies: 1e9 }, 400, /copies/],
    [{ note: 'x'.repeat(1024 ** 2) }, 413, /too large/],
    [{ note: 'x'.repeat(2_001) }, 400, /note/],
    [{ not_before: -1 }, 400, /not_before/],
    [{ not_before: 9e18 }, 400, /not_before/],
    [{ not_before: 1_900_000_000 }, 400, /not_before is in milliseconds.*give 1900000000000/],
    [{ printers: ['nobody'] }, 400, /nobody.*x1c/],
    [{ plate: 3 }, 400, /no sliced plate 3; it has 1, 2/],
    [{ alternatives: [{ file }] }, 400, /named twice/],
    [{ alternatives: [{ file, plate: 2 }, { file, plate: 2 }] }, 400, /named twice/],
    [{ alternatives: Array.from({ length: 11 }, () => ({ file })) }, 400, /alternatives/],
    [{ file: 'nothing.gcode.3mf' }, 404, /nothing.gcode.3mf/],
    [{ file: '../config.json' }, 404, /config.json/],
    [{ card: 'x1c', file: '/none.gcode.3mf' }, 404, /none.gcode.3mf/],
    [{ card: 'x1c', file: '/notes.txt' }, 400, /end in .3mf/],
    [{ card: 'nobody', file: '/cube.gcode.3mf' }, 400, /nobody/]
  ]
  for (const [fields, status, reason] of refused) {
    const { body, status: told } = await http('POST', '/api/queue', { file, ...fields })
    t.match([told, JSON.stringify(body)], [status, reason], JSON.stringify(fields).slice(0, 80))
  }
  t.same((await queueOf(booted)).jobs, [], 'none of them is queued')
  t.match(await clear(booted, 'nobody'), { status: 400, body: { reason: /nobody/ } })
  t.match(await http('POST', '/api/queue/pause', { of: 'nobody', paused: true }), { status: 400 })

  const odd = await add(booted, {
    file, not_before: 1_000_000_000_000, job_name: '<img src=x onerror=alert(1)>', note: '<script>1</script>', copies: 1_000
  })
  t.match(odd, { state: 'waiting', reason: '', name: '<img src=x onerror=alert(1)>', note: '<script>1</script>' })
  const { id } = odd

  t.match(await http('PATCH', `/api/queue/jobs/${id}`, { not_before: 1_900_000_000 }),
    { status: 400, body: { reason: /give 1900000000000/ } }, 'seconds would mean a day in January 1970')
  t.match(await http('PATCH', `/api/queue/jobs/${id}`, { not_before: 0 }), { status: 200, body: { not_before: null } })

  t.match((await http('GET', '/api/queue', { from: 0, limit: 1 })).body, { jobs: [{ id }], more: 0 })
  t.match((await http('GET', '/api/queue', { from: 1, limit: 1 })).body, { jobs: [], more: 0 })
  t.match(await http('GET', '/api/queue', { from: -1 }), { status: 400 })

  const edits = [{ priority: 7 }, { note: 'theirs' }, { copies: 3 }, { act: 'hold' }, { retries: 2 }, { allow_low: true }]
  const answers = await Promise.all(edits.map(edit => http('PATCH', `/api/queue/jobs/${id}`, edit)))
  t.same(answers.map(({ status }) => status), edits.map(() => 200))
  t.match(await jobOf(booted, id), { priority: 7, note: 'theirs', copies: 3, held: true, retries: 2, allow_low: true },
    'what several people change at once is all kept')

  t.match((await tool('explain_waiting', { id })).value, {
    id, state: 'waiting', reason: 'held', printers: [{ printer: 'x1c', reason: 'plate not confirmed clear' }]
  })
  t.match((await tool('list_sliced_files')).value, { files: [{ name: 'cube.gcode.3mf', is_present: true }] })
  t.match((await tool('pause_queue', { paused: true })).result, { isError: true }, 'not without permission')
  t.match((await tool('pause_queue', { paused: true, of: 'x1c', user_permission: true })).value, { of: 'x1c', paused: true })
  t.match((await queueOf(booted)).printers, [{ is_paused: true }])
  t.match((await tool('pause_queue', { paused: false, of: 'nobody', user_permission: true })).result, { isError: true })
  t.match((await tool('cancel_job', { id })).result, { isError: true }, 'not without permission')
  t.match((await tool('cancel_job', { id, user_permission: true })).value, { state: 'cancelled' })
  const [cancelled, held] = await Promise.all([
    tool('cancel_job', { id, user_permission: true }), http('PATCH', `/api/queue/jobs/${id}`, { priority: 1 })
  ])
  t.match(JSON.stringify(cancelled.value), /is cancelled and can no longer be changed/)
  t.match(held, { status: 409, body: { error: 'queue_job_ended' } })
})

t.test('working hours without a day are refused', async t => {
  const groups = [{ name: 'never', printers: [], hours: { from: '08:00', to: '18:00', days: [] } }]
  const config = { dataDir: testFolder(t), printers: [], plugins: { queue: { groups } } }
  await t.rejects(start(t, { models: [], config }), /groups.*days/)
})

t.test('a file on a card is copied into the library, where another printer can have it', async t => {
  const booted = await start(t, { models: TWO, config: { dataDir: testFolder(t) } })
  const { kernel, http, printers: [one, two] } = booted
  if (!one || !two) throw new Error('there are no printers')
  const content = sliced({ salt: 'card' })
  await kernel.services.files.uploadFrom(kernel.printers.resolve('one'), Readable.from([content]), '/vase.gcode.3mf')
  const job = await add(booted, { file: '/vase.gcode.3mf', card: 'one', printers: ['two'] })
  t.match(job, { name: 'vase', files: [{ name: 'vase.gcode.3mf' }] })
  t.match(await http('POST', '/api/queue/files/card', { printer: 'one', path: '/vase.gcode.3mf' }),
    { status: 200, body: { name: 'vase.gcode.3mf', is_present: true } })
  t.equal(((await http('GET', '/api/queue/files')).body as { files: object[] }).files.length, 1, 'it is kept once')
  await clear(booted, 'two')
  await until(booted, job.id, ({ state }) => state === 'done')
  t.same([sent(one).length, sent(two).length], [0, 1])
})

t.test('a file whose content is gone is missed by name, until it comes again', async t => {
  const dataDir = testFolder(t)
  const booted = await start(t, { config: { dataDir } })
  const { body: { id: file } } = await upload(booted, sliced())
  await rm(join(dataDir, 'plugins', 'queue', 'files', `${String(file)}.3mf`))
  const { id } = await add(booted, { file: 'cube.gcode.3mf' })
  await clear(booted, 'x1c')
  const blocked = await until(booted, id, ({ state }) => state === 'blocked')
  t.match(blocked, { reason: /'cube.gcode.3mf' is gone: upload it again/, printers: [{ reason: /not in the library/ }] })
  await eventually(async () => {
    const alerts = JSON.stringify((await booted.http('GET', '/api/alerts', { printer: 'x1c' })).body)
    return alerts.includes('not in the library')
  })
  t.equal(sent(booted.printer).length, 0)
  await upload(booted, sliced())
  await until(booted, id, ({ state }) => state === 'done')
})

t.test('a start that the printer refuses leaves no file on its card', async t => {
  const booted = await start(t, { config: { dataDir: testFolder(t) } })
  const { printer, kernel } = booted
  printer.faults.refuse('project_file', { reason: 'not now', times: 1 })
  await upload(booted, sliced())
  const { id } = await add(booted, { file: 'cube.gcode.3mf' })
  await clear(booted, 'x1c')
  await until(booted, id, ({ runs }) => runs[0]?.state === 'not_started')
  const path = String(sent(printer)[0]?.body.url ?? '').replace(/^(file|ftp):\/\/\/?(mnt\/sdcard|sdcard)?\/?/, '/')
  const session = kernel.printers.resolve('x1c')
  t.match(path, /^\/.*\.3mf$/)
  await eventually(async () => !await kernel.services.files.has(session, path))
})

t.test('where nobody knows what became of a copy, the printer waits for a person to say so', async t => {
  for (const outcome of ['printed', 'not_printed'] as const) {
    const booted = await start(t, { config: { dataDir: testFolder(t) } })
    const { printer } = booted
    await upload(booted, sliced({ minutes: 600 }))
    const { id } = await add(booted, { file: 'cube.gcode.3mf' })
    const next = await add(booted, { file: 'cube.gcode.3mf', job_name: 'next' })
    await clear(booted, 'x1c')
    await until(booted, id, ({ state }) => state === 'printing')
    printer.patch({ gcode_state: 'FINISH', subtask_name: 'foreign', task_id: '9', subtask_id: '9' })
    await until(booted, id, ({ runs }) => runs[0]?.state === 'unknown')
    t.match((await jobOf(booted, next.id)).printers, [{ reason: /^it is unknown whether 'cube' was printed/ }])
    const row = async () => (await queueOf(booted)).printers[0]
    t.match(await row(), { outcome_wanted: true, is_ready: false })
    t.match(await clear(booted, 'x1c'), { status: 409, body: { error: 'queue_outcome', reason: /printed or not_printed/ } })
    t.match(await clear(booted, 'x1c', { outcome: 'perhaps' }), { status: 400 })
    t.match(await clear(booted, 'x1c', { outcome, seen: (await row())?.seen }), { status: 200 })
    const job = await jobOf(booted, id)
    t.match(job.runs[0], { state: outcome === 'printed' ? 'finished' : 'not_started', reason: /according to http \(local\)/ })
    t.match(job, { finished: Number(outcome === 'printed') })
    await booted.close()
  }
})

t.test('the queue and people start one print at a time, and who comes second is told so', async t => {
  const booted = await start(t, { config: { dataDir: testFolder(t) } })
  const { kernel, http, tool, printer } = booted
  const session = kernel.printers.resolve('x1c')
  await kernel.services.files.uploadFrom(session, Readable.from([sliced({ salt: 'theirs' })]), '/theirs.gcode.3mf')
  const print = { printer: 'x1c', filename: '/theirs.gcode.3mf', platenum: 1, use_ams: true }
  await upload(booted, sliced({ minutes: 600 }))

  let free = (): void => {}
  const held = session.exclusively('the start of a person', () => new Promise<void>(resolve => { free = resolve }))
  const { id } = await add(booted, { file: 'cube.gcode.3mf' })
  await clear(booted, 'x1c')
  const waiting = await until(booted, id, ({ printers }) => /^could not be started/.test(printers[0]?.reason ?? ''))
  t.match(waiting.printers, [{ reason: /the start of a person.*; next try in \d+ s$/ }])
  t.equal(sent(printer).length, 0)

  const refused = new Promise<readonly unknown[]>((resolve, reject) => {
    const off = kernel.events.on('queue:run', ({ state }) => {
      if (state !== 'preparing') return
      off()
      const asked = { name: 'x1c', file_path: '/theirs.gcode.3mf', plate_num: 1, user_permission: true }
      Promise.all([http('POST', '/api/print_3mf', print), tool('print_file', asked)]).then(resolve, reject)
    })
  })
  free()
  await held
  const [byHttp, byTool] = await refused
  t.match(byHttp, { status: 409, body: { error: 'printer_claimed', reason: /job 'cube' of the queue/ } })
  t.match(JSON.stringify((byTool as { value: object }).value), /job 'cube' of the queue/)
  await until(booted, id, ({ state }) => state === 'printing')
  t.equal(sent(printer).length, 1)
  t.match(await http('POST', '/api/print_3mf', print), { status: 409, body: { error: 'job_active' } })
  t.equal(sent(printer).length, 1)
})
