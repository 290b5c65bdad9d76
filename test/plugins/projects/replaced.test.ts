import t, { type Test } from 'tap'
import type { VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import { bootProjects } from './boot.js'
import { make3mf } from './make-3mf.js'

const PATH = '/part.3mf'
const made = (color: string) => make3mf([{ number: 1, filaments: [{ id: 1, type: 'PLA', color }] }])
const WHITE = made('#FFFFFF')
const BLUE = made('#0A2989')
const MINUTE = Date.UTC(2026, 10, 22, 12, 0)

/** Another project that takes as many bytes. */
function twinOf (wanted: Buffer): Buffer {
  for (let value = 1; value < 0xFFFFFF; value += 4099) {
    const twin = made(`#${value.toString(16).toUpperCase().padStart(6, '0')}`)
    if (twin.length === wanted.length) return twin
  }
  throw new Error('there is none')
}

async function begin (t: Test, options: Partial<VirtualPrinterOptions> = {}) {
  const booted = await bootProjects(t, options)
  const { printer, http } = booted
  await printer.card.put(PATH, WHITE, MINUTE)
  return {
    card: printer.card,
    tool: booted.tool,
    name: booted.name,
    sent: () => printer.requests.filter(({ command }) => command === 'project_file'),
    color: async () => (await http('GET', '/api/preview_ams_mapping', { file: PATH })).body.filaments[0]?.color as string,
    print: () => http('POST', '/api/print_3mf', { filename: PATH, use_ams: true })
  }
}

t.test('a preview shows what lies on the card now, and reads it again only when it changed', async t => {
  const { card, color, print, sent, tool, name } = await begin(t)
  t.equal(await color(), '#FFFFFF')
  const lift = card.fault({ command: 'RETR', reply: '550 Failed to open file.' })
  t.equal(await color(), '#FFFFFF', 'unchanged: nothing is fetched')
  lift()
  await card.put(PATH, twinOf(WHITE), MINUTE + 20_000)
  t.not(await color(), '#FFFFFF', 'replaced by one of the same size in the same minute')
  await card.put(PATH, BLUE)
  t.equal(await color(), '#0A2989')
  await card.remove(PATH)
  t.match((await tool('preview_ams_mapping', { name, file_path: PATH })).value, { error: /there is no such file/ })
  t.match(await print(), { status: 400, body: { reason: /cannot be read as a project: there is no such file/ } })
  t.equal(sent().length, 0)
})

t.test('the same with a server that sends only whole files', async t => {
  const { card, color } = await begin(t, { model: 'A1_MINI' })
  t.equal(await color(), '#FFFFFF')
  await card.put(PATH, BLUE)
  t.equal(await color(), '#0A2989')
})

t.test('a start reads the card even when nobody looked at a preview since', async t => {
  const { card, color, print, sent } = await begin(t)
  t.equal(await color(), '#FFFFFF')
  await card.put(PATH, BLUE)
  t.match(await print(), { status: 200 })
  t.same(sent().at(-1)?.body.ams_mapping, [4], 'the blue spool')
})

t.test('a card that cannot be asked refuses the start', async t => {
  const { card, color, print, sent } = await begin(t)
  t.equal(await color(), '#FFFFFF')
  card.fault({ command: '*', resets: true })
  card.fault({ command: 'CONNECT', resets: true })
  t.match(await print(), { status: 502 })
  t.equal(sent().length, 0)
})
