import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { testFolder } from '../../helpers/folder.js'
import { eventually } from '../../helpers/eventually.js'
import { bootRecording, noFfmpeg, PICTURES, probe, VIDEO } from './boot.js'

t.test('video before and after a failed job is kept as it came', { skip: noFfmpeg }, async t => {
  const { kernel, name, printer, finished, list } = await bootRecording(t, { models: [VIDEO] })
  const session = kernel.printers.resolve(name)
  let units = 0
  kernel.services.camera.tap(session, { onUnit: () => { units++ } })
  const release = kernel.services.camera.hold(session)
  t.teardown(release)
  await eventually(() => units > 15, 30_000)
  printer.startJob({ minutes: 10 })
  await eventually(() => session.state?.job.gcodeState === 'RUNNING', 30_000)
  printer.patch({ gcode_state: 'FAILED' })
  const recording = await finished()
  t.match(recording, { printer: name, kind: 'evidence', status: 'ready', alerts: [{ type: 'job_failed' }], problem: null })
  const seen = await probe(join(kernel.dataDir, 'recordings', `${recording.id}.mp4`))
  t.match(seen, { codec_name: 'h264', width: 320, height: 180, stderr: '' })
  t.ok(seen.frames > 15, 'more than came after the alert')
  t.ok(Math.abs(seen.seconds - recording.duration_s) < 0.1)
  t.equal((await list()).length, 1)
})

t.test('pictures are encoded, also when nobody looked before', { skip: noFfmpeg }, async t => {
  const { kernel, name, alert, finished } = await bootRecording(t, { models: [PICTURES] })
  alert(name, 'health_escalated')
  const recording = await finished()
  t.match(recording, { kind: 'evidence', status: 'ready', alerts: [{ id: 'health_escalated-20260102T030405Z' }] })
  const seen = await probe(join(kernel.dataDir, 'recordings', `${recording.id}.mp4`))
  t.match(seen, { codec_name: 'h264', width: 320, height: 180, stderr: '' })
  t.ok(seen.frames >= 1)
  t.same((await readdir(join(kernel.dataDir, 'recordings'))).filter(file => file.endsWith('.part')), [])
})

t.test('new errors are recorded when they are serious, and alerts that follow each other share a recording', {
  skip: noFfmpeg
}, async t => {
  const { kernel, name, printer, alert, list, finished, shows } = await bootRecording(t, { models: [VIDEO] })
  await shows()
  const seen: string[] = []
  kernel.events.on('alert', ({ type }) => { seen.push(type) })
  printer.patch({ print_error: 0x0300_8001 }) // the job was only paused
  await eventually(() => seen.length === 1)
  t.same(await list(), [])
  printer.patch({ print_error: 0x0300_8001, hms: [{ attr: 0x0300_0100, code: 0x0001_0007 }] }) // fatal
  await eventually(async () => (await list()).length === 1)
  alert(name, 'job_failed')
  const recording = await finished()
  t.same(recording.alerts.map(({ type }) => type), ['hms_error_new', 'job_failed'])
  t.equal((await list()).length, 1)
})

t.test('a serious entry without an error number raises no alert and is recorded', async t => {
  const { kernel, printer, finished, list, shows } = await bootRecording(t, { models: [VIDEO] })
  await shows()
  const seen: string[] = []
  kernel.events.on('alert', ({ type }) => { seen.push(type) })
  printer.patch({ hms: [{ attr: 0x0300_0100, code: 0x0001_0007 }] }) // fatal
  const recording = await finished()
  t.match(recording, { kind: 'evidence', status: 'ready', alerts: [{ type: 'hms_error', id: /^hms_error-\d{8}T\d{6}Z$/ }] })
  t.equal(recording.alerts.length, 1)
  t.same(seen, [])
  t.equal((await list()).length, 1)
})

t.test('recordings of a printer that was renamed, or is gone, stay reachable', async t => {
  const dataDir = testFolder(t)
  const first = await bootRecording(t, { models: [VIDEO], config: { dataDir } })
  await first.shows()
  first.alert(first.name, 'job_failed')
  const { id } = await first.finished()
  await first.kernel.close()
  const second = await bootRecording(t, { models: [{ ...VIDEO, name: 'new-name' }], config: { dataDir } })
  t.match(await second.list(), [{ id, printer: 'x1c' }])
  t.match(await second.list({ printer: 'x1c' }), [{ id }])
  t.same(await second.list({ printer: 'new-name' }), [])
  t.match(await second.http('GET', `/api/recordings/${id}/file`), { status: 200, text: /ftyp/ })
  t.match(await second.http('DELETE', `/api/recordings/${id}`), { status: 200 })
  t.same(await second.list(), [])
})

t.test('nothing is recorded where it was switched off', async t => {
  const { kernel, name, alert, list, http } = await bootRecording(t, { models: [VIDEO] })
  const session = kernel.printers.resolve(name)
  t.match((await http('PATCH', '/api/recording_settings', { printer: name, evidence: false })).body, { evidence: false })
  const began: string[] = []
  kernel.events.on('recording', ({ id }) => { began.push(id) })
  let units = 0
  kernel.services.camera.tap(session, { onUnit: () => { units++ } })
  t.teardown(kernel.services.camera.hold(session))
  await eventually(() => units > 5, 30_000)
  alert(name, 'job_failed')
  const before = units
  await eventually(() => units > before + 10, 30_000)
  t.same([began, await list()], [[], []])
})

t.test('without a decoder video is kept, and pictures say what is missing', async t => {
  const path = process.env.PATH
  process.env.PATH = ''
  t.teardown(() => { process.env.PATH = path })
  const { kernel, alert, list } = await bootRecording(t, { models: [VIDEO, PICTURES], config: { ffmpeg: '/nonexistent' } })
  const showing = new Set<string>()
  const { camera } = kernel.services
  for (const session of kernel.printers.sessions) {
    const note = () => { showing.add(session.name) }
    camera.tap(session, { onUnit: note, onFrame: note })
    t.teardown(camera.hold(session))
  }
  await eventually(() => showing.size === 2, 60_000)
  alert('x1c', 'job_failed')
  alert('p1s', 'job_failed')
  const ended = async () => (await list()).filter(({ status }) => status === 'ready' || status === 'failed')
  await eventually(async () => (await ended()).length === 2, 60_000, 50)
  t.match((await list({ printer: 'x1c' }))[0], { status: 'ready', problem: null })
  t.match((await list({ printer: 'p1s' }))[0], { status: 'failed', bytes: 0, problem: /decoder/ })
})

t.test('a camera that cannot be reached leaves no evidence', async t => {
  const { kernel, printers, alert, list, name } = await bootRecording(t, { models: [PICTURES] })
  await Promise.all(printers.map(printer => printer.stop()))
  const changes: string[] = []
  kernel.events.on('recording', ({ status }) => { changes.push(status) })
  alert(name, 'job_failed')
  await eventually(() => changes.length > 0)
  await eventually(async () => (await list()).length === 0)
  t.notOk(changes.includes('ready') || changes.includes('failed'))
})

t.test('the camera is kept connected during jobs, where that is wanted', async t => {
  const { kernel, name, printer, http } = await bootRecording(t, { models: [PICTURES] })
  const session = kernel.printers.resolve(name)
  const source = () => kernel.services.camera.manager.stream(session).source
  const keep = (value: boolean) => http('PATCH', '/api/recording_settings', { printer: name, keep_connected: value })
  await keep(true)
  t.equal(source().consumers, 0, 'there is no job')
  printer.startJob({ minutes: 10 })
  await eventually(() => source().consumers === 1, 30_000)
  await keep(false)
  t.equal(source().consumers, 0)
  await keep(true)
  t.equal(source().consumers, 1)
  printer.patch({ gcode_state: 'FINISH' })
  await eventually(() => source().consumers === 0, 30_000)
})

t.test('what the service was recording when it ended is there after its start', { skip: noFfmpeg }, async t => {
  const dataDir = testFolder(t)
  const first = await bootRecording(t, { models: [VIDEO], config: { dataDir } })
  const session = first.kernel.printers.resolve(first.name)
  let units = 0
  first.kernel.services.camera.tap(session, { onUnit: () => { units++ } })
  const { body } = await first.http('POST', '/api/recordings', { printer: first.name, seconds: 600 })
  await eventually(() => units > 20, 30_000)
  await first.kernel.close()
  const second = await bootRecording(t, { models: [VIDEO], config: { dataDir } })
  t.match(await second.list(), [{ id: body.id, status: 'ready', kind: 'manual' }])
  const { frames, stderr } = await probe(join(dataDir, 'recordings', `${body.id}.mp4`))
  t.match({ frames: frames > 10, stderr }, { frames: true, stderr: '' })
})

t.test('evidence for which there is no room says so', async t => {
  const { alert, finished, name } = await bootRecording(t, { config: { plugins: { recording: { keepFreeMiB: 1e9 } } } })
  alert(name, 'job_failed')
  t.match(await finished(), { kind: 'evidence', status: 'failed', problem: /Not enough space/ })
})
