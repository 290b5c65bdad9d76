import { Readable } from 'node:stream'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { add, clear, FAST, sent, sliced, start, until, upload } from './helpers.js'

const CAMERA = { width: 320, height: 180, fps: 5 }
const P1S = 'C12'

t.test('a print of the queue keeps its job and its last picture, and is printed again from the library', async t => {
  const booted = await start(t, {
    models: [{ model: 'P1S', name: 'p1s', camera: CAMERA, ...FAST }], config: { dataDir: testFolder(t) }
  })
  const { http, tool, printer, kernel } = booted
  const prints = async () => (await http('GET', '/api/history')).body.prints as Record<string, any>[]
  const newest = async (result: string, count: number): Promise<Record<string, any>> => {
    await eventually(async () => {
      const all = await prints()
      return all.length === count && all[0]?.result === result
    }, 30_000)
    return (await prints())[0] ?? {}
  }
  const original = sliced({ model: P1S })
  const { body: { id: file } } = await upload(booted, original)
  const { id: job } = await add(booted, { file: 'cube.gcode.3mf', bed_leveling: false })
  await clear(booted, 'p1s')
  await until(booted, job, ({ state }) => state === 'done')
  const first = await newest('finished', 1)
  t.match(first, { job, started_by: 'queue', result: 'finished' })
  const again = `/api/history/${first.id}/reprint`
  const pictureOf = async (id: string) => await kernel.app.inject({ url: `/api/history/${id}/picture` })
  await eventually(async () => (await pictureOf(first.id)).statusCode === 200, 30_000)
  t.same((await pictureOf(first.id)).rawPayload.subarray(0, 2), Buffer.from([0xFF, 0xD8]), 'JPEG of the finished part')

  const session = kernel.printers.resolve('p1s')
  const named = String(sent(printer)[0]?.body.url ?? '').replace(/^(file|ftp):\/\/\/?(mnt\/sdcard|sdcard)?/, '')
  const path = named.startsWith('/') ? named : `/${named}`
  const { files } = kernel.services
  await eventually(async () => !await files.has(session, path))
  const changed = sliced({ model: P1S, salt: 'with a recipe that ejects' })
  await files.uploadFrom(session, Readable.from([changed]), path)
  const used = { code: 'plate_used', message: /The plate of 'p1s' has not been confirmed clear/, needs_accept: true }
  t.match(await http('POST', again), { status: 409, body: { error: 'plate_used', warnings: [used] } }, 'the first part lies on the plate')
  t.match(await http('POST', again, { accept_mismatch: true } as never), { status: 200, body: { outcome: 'started', warnings: [used] } },
    'as it was put into the queue')
  const { size } = (await files.list(session)).find(entry => entry.path === path) ?? {}
  t.equal(size, original.length)
  t.not(size, changed.length, 'not what somebody left on the card')
  t.match(await newest('finished', 2), { started_by: /^http/, job: '' })
  t.equal(sent(printer).length, 2)
  t.match(sent(printer)[1]?.body, { bed_leveling: false }, 'with what it was started with')

  printer.startJob({ name: 'theirs', layers: 20, minutes: 20_000 })
  await newest('running', 3)
  t.match(await http('POST', again), { status: 409, body: { error: 'job_active' } })
  printer.stopJob()
  await newest('cancelled', 3)

  await http('DELETE', `/api/queue/files/${file}`)
  for (const { path } of await kernel.services.files.list(session)) {
    if (/cube-/.test(path)) await kernel.services.files.remove(session, path)
  }
  const gone = { status: 409, body: { error: 'reprint_file', reason: /not on the card of 'p1s' as it was sent/ } }
  t.match(await http('POST', again), gone)
  t.match((await tool('reprint', { id: first.id, user_permission: true })).value, { error: 'reprint_file' })
  t.match((await tool('reprint', { id: first.id })).result, { isError: true }, 'not without permission')
  t.equal(sent(printer).length, 2)

  const config = kernel.printers.config('p1s')
  await kernel.printers.remove('p1s')
  t.match(await http('POST', again), { status: 409, body: { error: 'reprint_printer' } })
  if (config) await kernel.printers.add(config)
})
