import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import t from 'tap'
import spoolTags from '../../../plugins/spool-tags/index.js'
import spools from '../../../plugins/spools/index.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { recordedWith } from '../history/preset.js'
import { barriers } from '../web/desk.js'

const FORMATS = ['openspool', 'opentag3d', 'openprinttag']

t.test('a tag says what its spool is, and leads back to it', async t => {
  const { http, kernel } = await boot(t, {
    preset: recordedWith(spools, spoolTags), models: [], listen: true, config: { api: { host: '127.0.0.1' } }
  })
  const spool = { name: 'Galaxy Black', material: 'PLA', color: '#3d3e3d', net_g: 1000, used_g: 400 }
  const { body: { id } } = await http('POST', '/api/spools', spool)
  for (const format of FORMATS) {
    const { body } = await http('GET', `/api/spool_tags/${id}`, { format })
    t.match(body, { spool: id, format, memory_bytes: Number, fits: [String] })
    for (const data of [body.message, body.memory, body.memory.replaceAll('+', '-').replaceAll('/', '_')]) {
      const read = (await http('GET', '/api/spool_tags', { data })).body
      t.match(read, { spool: id, found_by: 'address', tags: [{ format, color: '#3D3E3D', nozzle_c: [190, 240], warnings: [] }] })
    }
    const record = body.records.find(({ kind }: { kind: string }) => kind === 'mime')
    t.match(record, { type: /^application\// })
    const file = await fetch(`http://127.0.0.1:${kernel.apiPort}/api/spool_tags/${id}/file?format=${format}&content=memory`)
    t.match(file.headers.get('content-disposition'), `attachment; filename="${format}.bin"`)
    t.equal(Buffer.from(await file.arrayBuffer()).toString('base64'), body.memory)
  }

  const foreign = Buffer.from('d1010855016578616d706c652e', 'hex') // an address of somebody else
  const unknown = await http('GET', '/api/spool_tags', { data: foreign.toString('base64') })
  t.match(unknown, { status: 200, body: { tags: [], spool: null, found_by: 'none' } })
  await http('PATCH', `/api/spools/${id}`, { tag: '04A2B3C4D5E6F7' })
  const chip = await http('GET', '/api/spool_tags', { data: foreign.toString('base64'), serial: '04:a2:b3:c4:d5:e6:f7' })
  t.match(chip, { body: { spool: id, found_by: 'tag' } })

  t.match(await http('GET', '/api/spool_tags/none'), { status: 404, body: { error: 'no_spool_for_tag' } })
  t.match(await http('GET', `/api/spool_tags/${id}`, { format: 'mifare' }), { status: 400 })
  t.match(await http('GET', '/api/spool_tags', { data: 'not base64!' }), { status: 400 })
  t.match(await http('GET', '/api/spool_tags', { data: 'A'.repeat(4_000) }), { status: 400 })
})

/** What Chrome on Android has, for a page that is tried elsewhere: what is written is on the next tag that is read. */
const NFC = `globalThis.NDEFReader = class {
  async write ({ records }) { globalThis.written = records }
  async scan () {
    const records = globalThis.written.map(({ recordType, mediaType, data }) => ({
      recordType, mediaType, data: new DataView(typeof data === 'string' ? new TextEncoder().encode(data).buffer : data.buffer)
    }))
    setTimeout(() => this.onreading({ message: { records }, serialNumber: '04:a2' }), 50)
  }
}`

t.test('a tag is written and read by a phone, or as a file', { skip: noBrowser }, async t => {
  const { http, kernel } = await boot(t, {
    models: [], listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const { body: { id } } = await http('POST', '/api/spools', { name: '<i>Red</i>', material: 'PETG', color: '#D0021B' })
  const { page, pageErrors, context } = await browse(t)
  const address = `http://127.0.0.1:${kernel.apiPort}/spools/tags`
  await page.goto(address)
  await page.getByText('This browser cannot use NFC.', { exact: false }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Write with this phone' }).count(), 0)
  const file = join(testFolder(t), 'tag.bin')
  await writeFile(file, Buffer.from((await http('GET', `/api/spool_tags/${id}`, { format: 'openprinttag' })).body.memory, 'base64'))
  await page.getByLabel('Choose a file').setInputFiles(file)
  await page.getByText('It belongs to <i>Red</i>.').waitFor()
  t.same(await barriers(page), [])
  await writeFile(file, 'nothing of this kind')
  await page.getByLabel('Choose a file').setInputFiles(file)
  await page.getByText('No record was found on it.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Memory of the tag' }).click()
  t.equal((await download).suggestedFilename(), 'openspool.bin')

  await context.addInitScript(NFC)
  await page.goto(address)
  await page.getByRole('combobox', { name: 'Format' }).selectOption('opentag3d')
  await page.getByText('for NTAG215, NTAG216', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Write with this phone' }).click()
  await page.getByText('Written.').waitFor()
  await page.getByRole('button', { name: 'Read with this phone' }).click()
  await page.getByText('It belongs to <i>Red</i>.').waitFor()
  await page.getByText('220–260 °C').waitFor()
  await page.getByRole('link', { name: 'Put it into a slot' }).click()
  await page.getByRole('heading', { name: '<i>Red</i>' }).waitFor()
  t.same(pageErrors, [])
})
