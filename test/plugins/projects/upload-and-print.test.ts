import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ModelName } from '../../../plugins/emulator/index.js'
import { bootProjects } from './boot.js'
import { make3mf } from './make-3mf.js'

const PROJECT = make3mf([{ number: 1, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }] }])

/** A service that counts what it asks of the card. */
async function scene (t: Test, model: ModelName) {
  const { kernel, name, tool, http, printer } = await bootProjects(t, { model })
  const { card } = kernel.printers.resolve(name)
  const asked: string[] = []
  for (const method of ['list', 'stat', 'download'] as const) {
    const original = card[method].bind(card) as (...input: unknown[]) => unknown
    Object.assign(card, { [method]: (...input: unknown[]) => { asked.push(method); return original(...input) } })
  }
  const local = join(kernel.dataDir, 'files', 'part.3mf')
  await writeFile(local, PROJECT)
  return {
    asked,
    printer,
    upload: (path: string) => tool('upload_file', { name, local_path: local, remote_path: path, user_permission: true }),
    tree: () => http('GET', '/api/get_sdcard_contents', { printer: name }),
    cached: () => http('GET', '/api/get_sdcard_contents', { printer: name, cached: true }),
    print: (path: string) => http('POST', '/api/print_3mf', { filename: path, use_ams: true })
  }
}

t.test('from the upload to the start of the print the card is not listed again', async t => {
  const { asked, upload, tree, cached, print, printer } = await scene(t, 'X1C')
  const before = (await tree()).body
  t.notMatch(JSON.stringify(before), 'new.3mf')
  asked.length = 0
  t.match((await upload('/jobs/new.3mf')).value, { success: true })
  t.same(asked, ['stat'], 'only the folder of the new file')
  const folder = (await cached()).body.children.find(({ id }: { id: string }) => id === '/jobs/')
  t.match(folder.children, [{ id: '/jobs/new.3mf', name: 'new.3mf', size: PROJECT.length }])
  asked.length = 0
  t.match(await print('/jobs/new.3mf'), { status: 200, body: { status: 'success' } })
  t.same([asked[0], asked.includes('list')], ['stat', false], 'only whether it is still the same file')
  t.match(printer.requests.filter(({ command }) => command === 'project_file'), [{}], 'one job was sent')
})

t.test('a card of which nothing is known is listed once for the answer', async t => {
  const { asked, upload, cached } = await scene(t, 'X1C')
  await upload('/new.3mf')
  t.same(asked, ['stat', 'list'])
  t.match(JSON.stringify((await cached()).body), 'new.3mf')
})

t.test('a printer that sends only whole files sends a file once', async t => {
  const { asked, upload, print } = await scene(t, 'A1_MINI')
  await upload('/new.3mf')
  asked.length = 0
  t.match(await print('/new.3mf'), { status: 200 })
  t.same(asked.slice(0, 2), ['stat', 'download'], 'it is not looked for twice')
  t.equal(asked.filter(what => what === 'download').length, 1)
})
