import { colorOf } from '../../shell/page/format.js'
import { unmapped, warningLines, withTray } from '../../shell/page/mapping.js'
import { callTool, connect, failureOf, say } from './host.js'
import { element, faint, pictureOf, show, warning } from './dom.js'

const THUMBNAIL_PX = 320
const NO_SPOOL = -1

/** The tool's input. */
let asked = { name: '', file_path: '', plate_num: 1 }
let preview = /** @type {any} */ (null)
let mapping = /** @type {number[]} */ ([])
let picture = ''
let note = ''
let can = { callsTools: false, takesMessages: false }

const AMS_HT = 128
const SLOTS = 4
const letterOf = tray => String.fromCharCode('A'.charCodeAt(0) + Math.floor(tray / SLOTS))
const placeOf = tray =>
  tray >= AMS_HT ? `AMS HT ${tray - AMS_HT + 1}` : `AMS ${letterOf(tray)} slot ${tray % SLOTS + 1}`

/** Spools that a print can use, with their tray numbers. */
const spools = () => [
  ...(preview.loaded_spools ?? [])
    .map(({ tray_id: tray, type, color }) => ({ tray, type, color, place: placeOf(tray) })),
  ...(preview.external_spools ?? [])
    .map(({ slot_id: tray, type, color }) => ({ tray, type, color, place: `Holder ${tray}` }))
]

function swatch (color) {
  const made = element('span', { className: 'swatch', 'aria-hidden': 'true' })
  made.style.background = colorOf(color) ?? 'transparent'
  return made
}

function row ({ id, type, color }) {
  const tray = mapping[id - 1] ?? NO_SPOOL
  const choices = spools()
  const select = element('select', { 'aria-label': `Spool for filament ${id}, ${type}`, disabled: !can.callsTools },
    element('option', { value: String(NO_SPOOL) }, 'Choose …'),
    ...choices.map(({ tray, type, place }) => element('option', { value: String(tray) }, `${place}: ${type || 'unknown'}`)))
  select.value = String(tray)
  select.addEventListener('change', () => previewMapping(withTray(mapping, id, Number(select.value))))
  return element('div', { className: 'map' },
    swatch(color), element('b', {}, type), element('span', { 'aria-hidden': 'true' }, '→'),
    swatch(choices.find(choice => choice.tray === tray)?.color), select)
}

/** The agent starts the print, after asking for consent; this page only passes on the choice. */
const order = () => `Print plate ${asked.plate_num} of ${asked.file_path} on ${asked.name} with ams_mapping ${JSON.stringify(mapping)}.`

async function choose () {
  note = await say(order()).then(() => 'Handed to the agent. It asks before it prints.', error => `Not sent: ${error.message}`)
  draw()
}

function draw () {
  if (preview === null) return
  const { filaments = [], error = '', warnings = [] } = preview
  const lines = warningLines({ warnings, error })
  const isGrave = error !== '' || warnings.some(({ needs_accept: needs }) => needs)
  const button = element('button', { type: 'button', className: 'primary', disabled: unmapped(filaments, mapping).length > 0 }, 'Print with these spools')
  button.addEventListener('click', choose)
  show(
    element('header', {},
      element('h2', {}, asked.file_path.split('/').pop() ?? ''),
      element('span', { className: 'badge' }, `Plate ${asked.plate_num}`)),
    element('div', { className: picture === '' ? 'plate' : 'plate pictured' },
      picture === '' ? undefined : element('img', { src: picture, alt: 'The plate' }),
      element('div', { className: 'plate' }, ...filaments.map(row))),
    ...lines.map(line => warning(line, isGrave ? 'bad' : 'warn')),
    filaments.length > 0 && can.takesMessages ? element('div', { className: 'buttons' }, button) : undefined,
    note === '' ? undefined : faint(note))
}

function take (answer) {
  const { structuredContent = {} } = answer
  const failure = failureOf(answer)
  preview = failure === undefined ? structuredContent : { ...preview, ...structuredContent, error: failure }
}

/** Previews another mapping; the answer to an older choice is ignored. */
async function previewMapping (chosen) {
  mapping = chosen
  note = ''
  const answer = await callTool('preview_ams_mapping', { ...asked, ams_mapping: JSON.stringify(chosen) })
    .catch(error => ({ isError: true, structuredContent: { error: error.message } }))
  if (mapping !== chosen) return
  take(answer)
  draw()
}

let begin = () => {}
const isAsked = new Promise(resolve => { begin = () => resolve(undefined) })

can = await connect('prnd spools', {
  onInput ({ name = '', file_path: file = '', plate_num: plate = 1 }) {
    asked = { name: String(name), file_path: String(file), plate_num: Number(plate) }
    begin()
  },
  onResult (answer) {
    take(answer)
    mapping = [...(preview.resolved_ams_mapping ?? [])]
    draw()
  }
})
await isAsked
if (can.callsTools) {
  picture = await callTool('get_plate_thumbnail', { ...asked, image_px: THUMBNAIL_PX }).then(pictureOf, () => '') ?? ''
  draw()
}
