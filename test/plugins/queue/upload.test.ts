import { randomBytes } from 'node:crypto'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { sliced, upload } from './helpers.js'

t.test('what is no sliced file is refused by name, and nothing of it is kept', async t => {
  const booted = await boot(t, {
    models: [], config: { dataDir: testFolder(t), printers: [], plugins: { queue: { fileMiB: 1, libraryMiB: 1 } } }
  })
  const { kernel: { app }, http } = booted
  const url = '/api/queue/files?filename=cube.gcode.3mf'
  const send = async (options: { headers?: Record<string, string>, payload?: string }) => {
    const answer = await app.inject({ method: 'POST', url, ...options })
    return [answer.statusCode, (answer.json() as { reason: string }).reason]
  }
  t.match(await send({}), [400, /body/], 'nothing')
  t.match(await send({ headers: { 'content-type': 'application/json' }, payload: '{}' }), [400, /body/])
  t.match(await send({ headers: { 'content-type': 'text/plain' }, payload: 'x' }), [400, /body/])
  for (const name of ['', 'cube.stl', '..', '../']) {
    t.match(await upload(booted, sliced(), name), { status: 400 }, JSON.stringify(name))
  }
  t.match(await upload(booted, Buffer.alloc(0)), { status: 400 }, 'empty')
  t.match(await upload(booted, randomBytes(4_000)), { status: 400, body: { error: /not_sliced/i } }, 'no archive')
  t.match(await upload(booted, randomBytes(1024 ** 2 + 10)), { status: 413 }, 'too large')
  t.same((await http('GET', '/api/queue/files')).body, { files: [] })

  const stored = await upload(booted, sliced(), '../../etc/cube.gcode.3mf')
  t.match(stored, { status: 200, body: { name: 'cube.gcode.3mf' } }, 'of a path only the name is taken')
  t.match(await upload(booted, sliced(), 'again.gcode.3mf'), { status: 200, body: { id: stored.body.id } }, 'the same bytes')
})
