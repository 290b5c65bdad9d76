import { degrees, minutesText, words } from '../../shell/page/format.js'
import { callTool, connect, failureOf } from './host.js'
import { element, facts, faint, pictureOf, show, warning } from './dom.js'
import { whileSeen } from './polling.js'

const EVERY_MS = 3_000
const FOR_MS = 15 * 60_000
const PICTURE_PX = 800
const BADGES = { RUNNING: 'good', PREPARE: 'good', FINISH: 'good', PAUSE: 'warn', FAILED: 'bad' }

/** The latest data of the printer; each result updates a part of it. */
const known = /** @type {any} */ ({ name: '', progress: undefined, temperatures: undefined, errors: [], picture: undefined, failure: undefined })
let isOver = false
let isLive = false

function take (answer) {
  const { structuredContent = {} } = answer
  known.failure = failureOf(answer)
  known.picture = pictureOf(answer) ?? known.picture
  if ('gcode_state' in structuredContent) known.progress = structuredContent
  if ('nozzles' in structuredContent) known.temperatures = structuredContent
  if ('hms_errors' in structuredContent) known.errors = structuredContent.hms_errors
}

const heat = ({ temp, target }) => target > 0 ? `${degrees(temp)} → ${degrees(target)}` : degrees(temp)
const nozzleName = ({ id }) => ({ 0: 'Right nozzle', 1: 'Left nozzle' })[id] ?? 'Nozzle'

function temperatures () {
  if (!known.temperatures) return undefined
  const { nozzles, bed, chamber } = known.temperatures
  return facts([...nozzles.map(nozzle => [nozzleName(nozzle), heat(nozzle)]), ['Bed', heat(bed)],
    ...(chamber?.temp > 0 ? [['Chamber', heat(chamber)]] : [])])
}

function job () {
  if (!known.progress) return []
  const { print_percentage: percent, remaining_minutes: left, subtask_name: file, stage_name: stage } = known.progress
  const { current_layer: layer, total_layers: layers } = known.progress
  if (layers === 0 && percent === 0) return [faint(stage || 'No job.')]
  return [
    element('p', { className: 'job-name' }, file || 'Print'),
    element('div', { className: 'progress' },
      element('progress', { max: 100, value: percent, 'aria-label': 'Progress' }), element('b', {}, `${percent} %`)),
    facts([['Layer', `${layer} of ${layers}`], ['Left', minutesText(left)], ...(stage ? [['Stage', stage]] : [])])
  ]
}

function view () {
  if (known.picture === undefined) return undefined
  return element('div', { className: 'view' }, element('img', { src: known.picture, alt: `Camera of ${known.name}` }),
    isLive ? element('span', { className: 'tag' }, 'Live') : undefined)
}

function draw () {
  const state = known.progress?.cancelled ? 'CANCELLED' : known.progress?.gcode_state
  show(
    element('header', {}, element('h2', {}, known.name || 'Printer'),
      state ? element('span', { className: `badge ${BADGES[state] ?? ''}` }, words(state)) : undefined),
    view(), ...job(), temperatures(),
    ...known.errors.filter(({ severity, cancelled }) => severity !== 'Historical' && cancelled !== true).map(({ msg, code }) => warning(msg || code, 'bad')),
    known.failure === undefined ? undefined : warning(known.failure, 'bad'))
}

const askFor = async (tool, args) => take(await callTool(tool, { name: known.name, ...args }))

/** Calls run in sequence, so a slow camera does not pile up requests. A failed call does not affect the others. */
async function refresh () {
  for (const tool of ['get_print_progress', 'get_temperatures', 'get_hms_errors', 'get_snapshot']) {
    if (isOver) return
    await askFor(tool, tool === 'get_snapshot' ? { image_px: PICTURE_PX } : {}).catch(() => {})
    draw()
  }
}

let begin = () => {}
const named = new Promise(resolve => { begin = () => resolve(undefined) })

const { callsTools } = await connect('prnd printer', {
  onInput ({ name = '' }) {
    known.name = String(name)
    if (known.name !== '') begin()
  },
  onResult: answer => { take(answer); draw() },
  onEnd: () => { isOver = true }
})
await named
if (callsTools) {
  isLive = true
  await whileSeen(refresh, EVERY_MS, FOR_MS, () => isOver)
  isLive = false
  draw()
}
