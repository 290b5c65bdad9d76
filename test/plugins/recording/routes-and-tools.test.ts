import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newId } from '../../../plugins/recording/store.js'
import { testFolder } from '../../helpers/folder.js'
import { eventually } from '../../helpers/eventually.js'
import { definePreset, privateFolder, writeJson } from '../../../core/index.js'
import filament from '../../../plugins/filament/index.js'
import httpPlugin from '../../../plugins/http/index.js'
import mcp from '../../../plugins/mcp/index.js'
import recording from '../../../plugins/recording/index.js'
import state from '../../../plugins/state/index.js'
import system from '../../../plugins/system/index.js'
import { bootRecording, noFfmpeg, PICTURES, probe, VIDEO } from './boot.js'
import { sample } from './helpers.js'

const CONTENT = 'not really a video'

/** A service that finds recordings of an earlier run. */
async function setUp (t: Test) {
  const dataDir = testFolder(t)
  const folder = await privateFolder(dataDir, 'recordings')
  const kept = [1, 2, 3].map(minute => sample({
    id: newId(),
    started_at: `2026-01-01T00:0${minute}:00.000Z`,
    bytes: CONTENT.length,
    printer: minute === 3 ? 'gone' : 'p1s',
    alerts: minute === 2 ? [{ id: 'job_failed-20260101T000200Z', type: 'job_failed', timestamp: '2026-01-01T00:02:00+00:00' }] : []
  }))
  for (const recording of kept) {
    await writeFile(join(folder, `${recording.id}.mp4`), CONTENT)
    await writeJson(join(folder, `${recording.id}.json`), recording)
  }
  const booted = await bootRecording(t, { config: { dataDir } })
  const get = (url: string, headers = {}) => booted.kernel.app.inject({ url, headers })
  return { ...booted, list: booted.list, get, folder, kept, ids: kept.map(({ id }) => id) as [string, string, string] }
}

t.test('recordings are listed newest first, by page, printer, kind and alert', async t => {
  const { http, list, kept, ids } = await setUp(t)
  t.same(await list(), kept.toReversed())
  const { body } = await http('GET', '/api/recordings', { limit: 2 })
  t.match([body.total, body.recordings.length], [3, 2])
  const second = (await http('GET', '/api/recordings', { limit: 2, cursor: body.next })).body
  t.match(second, { recordings: [{ id: ids[0] }], next: null })
  t.match(await list({ printer: 'gone' }), [{ id: ids[2] }])
  t.match(await list({ kind: 'manual' }), [])
  t.match(await list({ alert: 'job_failed-20260101T000200Z' }), [{ id: ids[1] }])
  t.match(await http('GET', '/api/recordings', { limit: 0 }), { status: 400 })
  t.match(await http('GET', '/api/recordings', { cursor: 'x' }), { status: 400, body: { error: 'bad_input' } })
})

t.test('a video is served whole and in ranges, to play and to save', async t => {
  const { get, ids: [id] } = await setUp(t)
  const url = `/api/recordings/${id}/file`
  const whole = await get(url)
  t.match(whole, {
    statusCode: 200,
    body: CONTENT,
    headers: {
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline; filename="p1s-evidence-2026-01-01T00-01-00.mp4"'
    }
  })
  t.match(await get(url, { range: 'bytes=4-9' }),
    { statusCode: 206, body: CONTENT.slice(4, 10), headers: { 'content-range': `bytes 4-9/${CONTENT.length}` } })
  t.match(await get(url, { range: 'bytes=900-' }), { statusCode: 416 })
  t.match((await get(`${url}?download=true`)).headers['content-disposition'], /^attachment; /)
})

t.test('ids lead nowhere else', async t => {
  const { get, http, folder, ids: [id] } = await setUp(t)
  await writeFile(join(folder, '..', 'secret.mp4'), 'secret')
  for (const wrong of ['..%2Fsecret', '..', '%2e%2e%2fsecret', `${id}.mp4`, id.toUpperCase(), `${id}%00`, 'x'.repeat(18), '']) {
    const { statusCode, body } = await get(`/api/recordings/${wrong}/file`)
    t.ok(statusCode === 400 || statusCode === 404, `${wrong}: ${statusCode}`)
    t.notMatch(body, /^secret$/)
  }
  const unknown = '0'.repeat(18)
  t.match(await http('GET', `/api/recordings/${unknown}`), { status: 404, body: { error: 'no_recording' } })
  t.match(await http('GET', `/api/recordings/${unknown}/file`), { status: 404, body: { error: 'no_recording' } })
  t.match(await http('DELETE', `/api/recordings/${unknown}`), { status: 404 })
  t.match(await http('POST', `/api/recordings/${unknown}/stop`), { status: 404 })
  t.match(await http('GET', '/api/recordings/..'), { status: 404 })
})

t.test('a recording is read and deleted', async t => {
  const { http, list, kernel, folder, kept, ids: [id] } = await setUp(t)
  const removed: string[] = []
  kernel.events.on('recording:removed', recording => { removed.push(recording.id) })
  t.same((await http('GET', `/api/recordings/${id}`)).body, kept[0])
  t.match(await http('DELETE', `/api/recordings/${id}`), { status: 200, body: { id } })
  t.notOk(existsSync(join(folder, `${id}.mp4`)) || existsSync(join(folder, `${id}.json`)))
  t.same(removed, [id])
  t.equal((await list()).length, 2)
  t.match(await http('DELETE', `/api/recordings/${id}`), { status: 404 })
})

t.test('where a token is set, nothing is shown without it', async t => {
  const { kernel } = await bootRecording(t, { config: { api: { token: 'a-long-token' } } })
  const statusOf = async (url: string, headers = {}) => (await kernel.app.inject({ url, headers })).statusCode
  for (const url of ['/api/recordings', `/api/recordings/${newId()}`, `/api/recordings/${newId()}/file`, '/recordings']) {
    t.equal(await statusOf(url), 401, url)
  }
  t.equal(await statusOf('/recordings', { accept: 'text/html' }), 303, 'a person is led to the login')
  t.equal(await statusOf('/api/recordings', { authorization: 'Bearer a-long-token' }), 200)
})

t.test('on demand: from now on, until the time is over or somebody stops it', { skip: noFfmpeg }, async t => {
  const { kernel, http, list, name } = await bootRecording(t, { models: [VIDEO] })
  t.match(await http('POST', '/api/recordings', { printer: name, seconds: 601 }), { status: 400 })
  let units = 0
  kernel.services.camera.tap(kernel.printers.resolve(name), { onUnit: () => { units++ } })
  const { body } = await http('POST', '/api/recordings', { printer: name, seconds: 600 })
  t.match(body, { kind: 'manual', status: 'recording', printer: name })
  t.match(await http('POST', '/api/recordings', { printer: name }), { status: 409, body: { error: 'already_recording' } })
  t.match(await http('GET', `/api/recordings/${body.id}/file`), { status: 409, body: { error: 'recording_unfinished' } })
  t.match(await http('DELETE', `/api/recordings/${body.id}`), { status: 409, body: { error: 'recording_unfinished' } })
  await eventually(() => units > 15, 30_000)
  t.match(await http('POST', `/api/recordings/${body.id}/stop`), { status: 200, body: { id: body.id } })
  await eventually(async () => (await list())[0]?.status === 'ready')
  t.match(await probe(join(kernel.dataDir, 'recordings', `${body.id}.mp4`)), { codec_name: 'h264', stderr: '' })
  t.equal(kernel.services.camera.manager.stream(kernel.printers.resolve(name)).source.consumers, 0, 'and lets go of the camera')
  await http('POST', '/api/recordings', { printer: name, seconds: 2 })
  await eventually(async () => (await list()).filter(({ status }) => status === 'ready').length === 2, 60_000)
})

t.test('a recording lasts as long as asked for from its first picture, however long the camera takes', { skip: noFfmpeg }, async t => {
  const { printer, http, finished, list, name } = await bootRecording(t, { models: [PICTURES] })
  const answerAgain = printer.faults.camera.stall()
  await http('POST', '/api/recordings', { printer: name, seconds: 1 })
  await setTimeout(2_000)
  t.match(await list(), [{ status: 'recording' }])
  answerAgain()
  t.match(await finished(), { status: 'ready' })
})

t.test('whoever asks for a recording of nothing learns why there is none', async t => {
  const { http, printers, finished, name } = await bootRecording(t, { models: [PICTURES], connectMs: 1_000 })
  await Promise.all(printers.map(printer => printer.stop()))
  t.equal((await http('POST', '/api/recordings', { printer: name, seconds: 1 })).status, 200)
  t.match(await finished(), { status: 'failed', problem: /no picture/, bytes: 0 })
})

t.test('without the camera plugin nothing is recorded, and what there is can be played', async t => {
  const plugins = [httpPlugin, mcp, system, filament, state, recording]
  const { http, alert, name, list } = await bootRecording(t, { preset: definePreset({ name: 'test', plugins }) })
  alert(name, 'job_failed')
  t.same(await list(), [])
  t.match(await http('POST', '/api/recordings', { printer: name }), { status: 400, body: { error: 'unsupported' } })
})

t.test('tools do the same', async t => {
  const { tool, name, ids: [id] } = await setUp(t)
  t.match((await tool('list_recordings', { name: 'p1s' })).value, { total: 2, recordings: [{ printer: 'p1s' }, { id }] })
  t.match((await tool('get_recording', { id })).value, { id, status: 'ready' })
  t.ok((await tool('delete_recording', { id })).failed, 'not without permission')
  t.match((await tool('delete_recording', { id, user_permission: true })).value, { id })
  t.ok((await tool('get_recording', { id })).failed)
  t.match((await tool('get_recording_settings', { name })).value, { evidence: true, timelapse: 'off', keep_connected: false })
  const change = { name, timelapse: 'layer', user_permission: true }
  t.match((await tool('set_recording_settings', change)).value, { timelapse: 'layer', evidence: true })
  const { value } = await tool('start_recording', { name, seconds: 60, user_permission: true })
  t.match(value, { kind: 'manual', status: 'recording' })
  t.match((await tool('stop_recording', { id: value.id })).value, { kind: 'manual' })
})
