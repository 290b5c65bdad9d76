import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createKernel, type Kernel } from '../../../core/index.js'
import { readZip } from '../../../plugins/emulator/sample-sd-card/index.js'
import daemon from '../../../presets/daemon/index.js'
import { testFolder } from '../../helpers/folder.js'

// The data folder of version 2.0 after a print of each of three printers, killed during a fourth.
const FIXTURE = join(import.meta.dirname, 'fixtures', 'version-2.0.zip')
const KEY = 'prn_Y545BwWqU3SNClwIUiguzxeyaUZ1eAfdJWHzvtx7uig'
const WITH_KEY = { authorization: `Bearer ${KEY}` }
const MOST_BYTES = 4 * 1024 * 1024

async function leftByVersion2 (t: Test): Promise<string> {
  const folder = join(testFolder(t), 'data')
  for (const [name, content] of readZip(await readFile(FIXTURE))) {
    if (name.endsWith('/')) continue
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content(MOST_BYTES))
  }
  return folder
}

async function started (t: Test, dataDir: string, warn: (message: string) => void): Promise<Kernel> {
  const kernel = await createKernel(daemon, { printers: [], dataDir, log: {} }, {
    configFile: join(dataDir, 'config.json'), warn, logEcho: process.stdout
  })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  return kernel
}

async function get (kernel: Kernel, url: string, headers: Record<string, string> = WITH_KEY) {
  const { statusCode, body } = await kernel.app.inject({ url, headers })
  return { status: statusCode, body: JSON.parse(body) as Record<string, any> }
}

/** What stands in the data folder for a person. */
async function contents (kernel: Kernel) {
  const at = async (path: string) => (await get(kernel, `/api/${path}`)).body
  const [{ prints }, { spools }, { jobs }, { files }, { alerts }] = [
    await at('history'), await at('spools'), await at('queue'), await at('queue/files'), await at('alert_log')]
  return { prints, spools, jobs, files, alerts }
}

t.test('everything that version 2.0 stored is there in this one, also after another start', async t => {
  const dataDir = await leftByVersion2(t)
  const said: string[] = []
  const kernel = await started(t, dataDir, message => { said.push(message) })
  t.equal(said.filter(message => message.includes('is now prnd.')).length, 2, 'the log and the database have their new names')
  t.equal((await get(kernel, '/api/history', {})).status, 401, 'who has no password stays outside')

  const found = await contents(kernel)
  t.match((await get(kernel, '/api/people/me')).body, { name: 'key robot', role: 'operate' }, 'the key is still one')
  t.same(found.prints.map((print: any) => [print.printer, print.result]), [
    ['virtual-x1c', 'running'], ['virtual-a1-mini', 'finished'], ['virtual-h2d', 'finished'], ['virtual-x1c', 'finished']
  ], 'the print at whose time it was killed is open')
  t.match(found.prints[1], { note: 'Good, but a string on the left — ä', rating: 4, tags: ['gift', 'pots'] })
  t.match(found.prints[1].filaments, [{ material: 'PETG', grams: 22.4 }])
  t.match(found.spools.find((spool: any) => spool.name === 'Red PLA of Ann'), { color: '#FF0000', net_g: 1000, left_g: 880 })
  t.match(found.spools.find((spool: any) => spool.tag === 'ABCDEF01'), { name: 'Grey PETG ü', net_g: 750, left_g: 750 })
  t.equal(found.spools.length, 4, 'and those that prints were taken from')
  t.match(found.jobs[0], { name: 'Bracket for Ann', priority: 5, copies: 3, waiting: 3 })
  t.match(found.jobs[1], { name: 'Any printer', copies: 1, waiting: 1 })
  t.match(found.files, [{ name: 'Blumentopf grün (v2).gcode.3mf', is_present: true, added_by: 'http (local)' }])
  t.match(found.alerts.map((alert: any) => alert.type), ['job_finished', 'plate_needs_clearing'])

  const { id } = found.prints[1]
  for (const kind of ['picture', 'thumbnail']) {
    const { statusCode, headers } = await kernel.app.inject({ url: `/api/history/${id}/${kind}`, headers: WITH_KEY })
    t.match({ statusCode, type: headers['content-type'] }, { statusCode: 200, type: /^image\// }, kind)
  }
  t.match((await get(kernel, '/api/recordings')).body, { recordings: [{ printer: 'virtual-x1c' }] })
  await kernel.close()

  const again = await started(t, dataDir, message => t.fail(`nothing to say again: ${message}`))
  const { prints, spools, files, alerts } = found
  t.match(await contents(again), { prints, spools, files, alerts })
})
