import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import spoolLabels from '../../../plugins/spool-labels/index.js'
import { contentOf } from '../../../plugins/spool-labels/label-content.js'
import spools from '../../../plugins/spools/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { recordedWith } from '../history/preset.js'

const run = promisify(execFile)
const preset = recordedWith(spools, spoolLabels)
const zbarimg = findProgram('zbarimg')
const pdftoppm = findProgram('pdftoppm')
const skip = zbarimg && pdftoppm ? false : 'zbarimg and pdftoppm are not installed (Debian packages zbar-tools and poppler-utils)'

const NAMES = ['Red from the shelf', 'Grün matt fürs Büro', 'a\u202Eb\u0000 😀', 'Very long name of an engineering filament with carbon fibre']

interface WithSpools {
  readonly booted: Booted
  readonly ids: readonly string[]
  readonly origin: string
  readonly file: (query: string) => Promise<Response>
}

async function withSpools (t: Test): Promise<WithSpools> {
  const booted = await boot(t, { preset, models: [], listen: true, config: { api: { host: '127.0.0.1' } } })
  const ids: string[] = []
  for (const name of NAMES) {
    const { body } = await booted.http('POST', '/api/spools', { name, material: 'PLA', color: '#D0021B', net_g: 1000 })
    ids.push(body.id)
  }
  const origin = `http://localhost:${booted.kernel.apiPort}`
  const file = (query: string) => fetch(`http://127.0.0.1:${booted.kernel.apiPort}/api/spool_labels?${query}`)
  return { booted, ids, origin, file }
}

/** Texts of all codes in a picture. */
async function codesIn (path: string): Promise<string[]> {
  const { stdout } = await run(zbarimg ?? '', ['--quiet', '--raw', path])
  return stdout.trim().split('\n').sort()
}

async function pagesOf (t: Test, pdf: Buffer, dpi = 200): Promise<string[]> {
  const folder = testFolder(t)
  await writeFile(join(folder, 'labels.pdf'), pdf)
  await run(pdftoppm ?? '', ['-png', '-r', String(dpi), join(folder, 'labels.pdf'), join(folder, 'page')])
  return (await readdir(folder)).filter(name => name.endsWith('.png')).sort().map(name => join(folder, name))
}

t.test('every code on a printed sheet is read back, and the edge of the page is blank', { skip }, async t => {
  const { ids, origin, file } = await withSpools(t)
  for (const sheet of ['avery-l7160', 'avery-5160']) {
    const answer = await file(`sheet=${sheet}&start=2`)
    t.match(answer.headers.get('content-type'), 'application/pdf')
    const [page = '', ...others] = await pagesOf(t, Buffer.from(await answer.arrayBuffer()))
    t.same(others, [])
    t.same(await codesIn(page), ids.map(id => `${origin}/spools/${id}`).sort(), sheet)
    const { data, info } = await sharp(page).greyscale().raw().toBuffer({ resolveWithObject: true })
    const edge = Math.round(4 / 25.4 * 200)
    const isAtEdge = (at: number) => {
      const [x, y] = [at % info.width, Math.floor(at / info.width)]
      return x < edge || y < edge || x >= info.width - edge || y >= info.height - edge
    }
    t.notOk(data.some((value, at) => value < 250 && isAtEdge(at)), 'nothing is printed within 4 mm of the edge')
  }
})

t.test('single labels are a page each, in the smallest size too', { skip }, async t => {
  const { ids, origin, file } = await withSpools(t)
  const pages = await pagesOf(t, Buffer.from(await (await file('sheet=40x30')).arrayBuffer()))
  t.same(await Promise.all(pages.map(codesIn)), ids.map(id => [`${origin}/spools/${id}`]))
  const picture = join(testFolder(t), 'label.png')
  const answer = await file(`sheet=62x29&format=png&page=2&dpi=203&ids=${ids[3]},${ids[0]}`)
  t.equal(answer.headers.get('x-prnd-pages'), '2')
  await writeFile(picture, Buffer.from(await answer.arrayBuffer()))
  t.same(await codesIn(picture), [`${origin}/spools/${ids[0]}`])
  t.match(await sharp(picture).metadata(), { width: 496, height: 232, density: 203 })
})

t.test('what cannot be printed is said', async t => {
  const { booted: { http }, ids } = await withSpools(t)
  const { body } = await http('GET', '/api/spool_labels/sheets')
  t.ok(body.sheets.length >= 8)
  t.match(body.unprintable.filter(({ spool }: { spool: string }) => spool !== ids[2]), [])
  const failed = async (query: Record<string, unknown>) => (await http('GET', '/api/spool_labels', query))
  t.match(await failed({ ids: 'none' }), { status: 404, body: { error: 'no_spool_to_label' } })
  t.match(await failed({ ids: `${ids[0]},../../x` }), { status: 404 })
  t.match(await failed({ sheet: 'avery-0' }), { status: 400 })
  t.match(await failed({ format: 'png', page: 2 }), { status: 404, body: { error: 'no_label_page' } })
  t.match(await failed({ ids: Array.from({ length: 201 }, () => ids[0]).join(',') }), { status: 400 })
  const late = await failed({ start: 43, format: 'png', dpi: 50 })
  t.equal(late.status, 200, 'a start beyond the sheet is the same place on a new one')
})

t.test('a label has the brand and the temperatures of its type', async t => {
  const { booted: { kernel, http }, ids: [id = ''] } = await withSpools(t)
  const acme = { brand: 'Acme', material: 'PLA', nozzle_min_c: 201, nozzle_max_c: 219 }
  const { body: type } = await http('POST', '/api/spools/types', acme as never)
  await http('PATCH', `/api/spools/${id}`, { type: (type as { id: string }).id } as never)
  const { inventory } = kernel.services.spools
  const spool = kernel.services.spools.all().find(spool => spool.id === id)!
  const { filaments } = kernel.services
  t.match(contentOf(spool, (await inventory.typesBySpool()).get(id), filaments, 'http://a'), { brand: 'Acme', nozzleC: [201, 219] })
})
