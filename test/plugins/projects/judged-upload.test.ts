// What is said to be for printing and cannot be printed is refused before a card has it.
import t from 'tap'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import standalone from '../../../presets/standalone/index.js'
import { boot } from '../../helpers/boot.js'
import { make3mf } from './make-3mf.js'

const good = make3mf([{ number: 1, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }] }])
const unsliced = make3mf([{ number: 1, sliced: false }])
/** Name, content, and why it is refused; undefined for what passes. */
const FILES = [
  ['good.gcode.3mf', good, undefined],
  ['cut.gcode.3mf', good.subarray(0, good.length / 2), /'cut\.gcode\.3mf' is broken: .*Export it again.*nothing was sent/],
  ['vase.stl', Buffer.from('solid'), /'vase\.stl' is a model without toolpaths: .*slice it.*Nothing was sent/],
  ['vase.STEP', Buffer.from('x'), /is a model without toolpaths/],
  ['plain.gcode', Buffer.from('G28'), /'plain\.gcode' holds bare toolpaths.*Nothing was sent/],
  ['notes.txt', Buffer.from('x'), undefined],
  ['clip.mp4', Buffer.from('PKx'), undefined],
  ['odd.3mf', Buffer.from('no archive'), undefined]
] as const

t.test('the tool of agents', async t => {
  const { tool, printer, kernel, name } = await boot(t, { models: ['P1S'] })
  await mkdir(join(kernel.dataDir, 'files'), { recursive: true })
  const put = async (file: string, content: Buffer, more: object = {}) => {
    await writeFile(join(kernel.dataDir, 'files', file), content)
    return await tool('upload_file', { name, user_permission: true, local_path: file, remote_path: `/${file}`, ...more })
  }
  for (const [file, content, why] of [...FILES, ['raw.3mf', unsliced, /'raw\.3mf' is not sliced: slice it/]] as const) {
    const { failed, text, value } = await put(file, content)
    t.equal(failed, why !== undefined, file)
    if (why) t.match(text, why, file)
    else if (file !== 'good.gcode.3mf') t.match(value, { warning: /No printer can print '/ }, file)
    t.equal(await printer.card.get(`/${file}`) !== undefined, why === undefined, `${file}: what is refused never lay on the card`)
  }
  t.notOk((await put('vase.stl', Buffer.from('solid'), { to_print: false })).failed, 'unless it is wanted as it is')
  t.ok((await put('notes.txt', Buffer.from('x'), { to_print: true })).failed, 'or said to be for printing')
})

t.test('the application for one printer', async t => {
  const { kernel, printer } = await boot(t, { preset: standalone, models: [{ model: 'P1S' }] })
  await mkdir(join(kernel.dataDir, 'uploads'), { recursive: true })
  for (const method of ['GET', 'POST'] as const) {
    for (const [file, content, why] of FILES) {
      await writeFile(join(kernel.dataDir, 'uploads', file), content)
      await printer.card.remove(`/${file}`).catch(() => {})
      const put = (more = '') =>
        kernel.app.inject({ method, url: `/api/upload_file_to_printer?src=${file}&dest=/${file}${more}` })
      if (why) {
        const { statusCode, body } = await put('&to_print=true')
        t.not(statusCode, 200, file)
        t.match(body, why, file)
        t.equal(await printer.card.get(`/${file}`), undefined, `${file}: what is refused never lay on the card`)
      }
      const { statusCode, json } = await put()
      t.equal(statusCode, 200, `${file} is copied if it is not said to be for printing`)
      t.match(json(), { id: '/', children: Array })
      t.ok(await printer.card.get(`/${file}`), file)
    }
  }
})
