import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootProjects } from './boot.js'

const FILE = '/desk-organiser.gcode.3mf'

t.test('the file that is printed stays as it is until the job has ended', async t => {
  const { http, tool, name, printer, kernel } = await bootProjects(t)
  const session = kernel.printers.resolve(name)
  const content = await printer.card.get(FILE)
  await printer.card.put('/jobs/other.3mf', 'x')
  t.match(await http('POST', '/api/print_3mf', { filename: FILE, platenum: 2, use_ams: true }), { status: 200 })

  const inUse = { status: 409, body: { error: 'file_in_use', reason: /is printing it: wait until the job has ended/ } }
  t.match(await http('DELETE', '/api/delete_sdcard_file', { file: FILE }), inUse)
  t.match(await http('PATCH', '/api/rename_sdcard_file', { src: FILE, dest: '/new.3mf' }), inUse)
  t.match((await tool('delete_file', { name, remote_path: FILE, user_permission: true })).value, { error: /is printing it/ })
  const local = join(kernel.dataDir, 'files', 'new.3mf')
  await writeFile(local, 'something else')
  t.match((await tool('upload_file', { name, local_path: local, remote_path: FILE, user_permission: true })).value,
    { error: /is printing it/ })
  t.same(await printer.card.get(FILE), content)
  t.match(await http('DELETE', '/api/delete_sdcard_file', { file: '/jobs/other.3mf' }), { status: 200 }, 'others may go')

  await tool('stop_print', { name, user_permission: true })
  await eventually(() => session.state?.job.gcodeState === 'FAILED')
  t.match(await http('DELETE', '/api/delete_sdcard_file', { file: FILE }), { status: 200 })
})

t.test('the folder above it too', async t => {
  const { http, printer } = await bootProjects(t)
  const deep = '/jobs/today/desk.gcode.3mf'
  await printer.card.put(deep, await printer.card.get(FILE) as Buffer)
  t.match(await http('POST', '/api/print_3mf', { filename: deep, platenum: 2, use_ams: true }), { status: 200 })
  for (const folder of ['/jobs', '/jobs/today']) {
    t.match(await http('DELETE', '/api/delete_sdcard_file', { file: `${folder}/` }), { status: 409 })
    t.match(await http('PATCH', '/api/rename_sdcard_file', { src: folder, dest: '/elsewhere' }), { status: 409 })
  }
  t.ok(await printer.card.get(deep))
})

t.test('a job that the printer started by itself is known by its name', async t => {
  const { http, printer, kernel, name } = await bootProjects(t)
  const session = kernel.printers.resolve(name)
  await printer.card.put('/cache/vase.gcode.3mf', 'x')
  printer.startJob({ name: 'vase' })
  await eventually(() => session.state?.job.subtaskName === 'vase')
  t.match(await http('DELETE', '/api/delete_sdcard_file', { file: '/cache/vase.gcode.3mf' }), { status: 409 })
  t.match(await http('DELETE', '/api/delete_sdcard_file', { file: '/cache/' }), { status: 409 })
  t.match(await http('DELETE', '/api/delete_sdcard_file', { file: FILE }), { status: 200 })
})

t.test('while nobody knows what the printer does, no project is taken away', async t => {
  const { http, printer, kernel, name } = await bootProjects(t)
  await printer.card.put('/notes.txt', 'x')
  await kernel.printers.resolve(name).pause()
  const unknown = { status: 409, body: { error: 'state_not_current', reason: /its session is paused\. Resume it/ } }
  t.match(await http('DELETE', '/api/delete_sdcard_file', { file: FILE }), unknown)
  t.match(await http('PATCH', '/api/rename_sdcard_file', { src: FILE, dest: '/b.3mf' }), unknown)
  t.match(await http('DELETE', '/api/delete_sdcard_file', { file: '/notes.txt' }), { status: 200 }, 'which nobody prints')
  t.ok(await printer.card.get(FILE))
})
