import { isActive, type ModelInfo, type PrinterState } from '../../../core/index.js'
import { defineChart, type ChartView } from '../panel.js'
import { EDGE, frame, note } from '../svg/frame.js'
import { label, tag } from '../svg/tag.js'
import { progressOf, STEPS, type Progress } from './steps.js'

const ID = 'calibration'
const TITLE = 'Camera Calibration'
const EMPTY = { text: 'no calibration data yet', detail: 'The printer has not reported yet.' }

interface Row { readonly name: string, readonly value: string, readonly className: string, readonly sign: Sign }
type Sign = 'full' | 'half' | 'ring' | 'dash'

const STEP_WORDS: Readonly<Record<Progress, Omit<Row, 'name'>>> = {
  running: { value: 'running now', className: 'b', sign: 'half' },
  done: { value: 'done', className: '', sign: 'full' },
  planned: { value: 'planned', className: '', sign: 'ring' },
  none: { value: 'not planned', className: 'm', sign: 'dash' },
  unknown: { value: 'not known', className: 'm', sign: 'dash' }
}

const stepRows = (state: PrinterState, model: ModelInfo): Row[] => STEPS
  .filter(({ fits }) => fits?.(model, state) ?? true)
  .map(step => ({ name: step.name, ...STEP_WORDS[progressOf(step, state.job)] }))

const fact = (name: string, on: boolean, [yes, no]: readonly [string, string] = ['on', 'off']): Row =>
  on ? { name, value: yes, className: '', sign: 'full' } : { name, value: no, className: 'm', sign: 'dash' }

const CAMERAS = { rtsps: 'RTSPS', tcp_tls: 'JPEG frames', probe: 'not known' } as const

/** State of the camera and of the detectors that use it. */
function cameraRows ({ device, detectors }: PrinterState, model: ModelInfo): Row[] {
  const live = model.camera === 'rtsps' ? [fact('Live view', device.rtspUrl !== '')] : []
  const watching = ([
    ['First layer', detectors.firstLayer],
    ['Spaghetti', detectors.spaghetti],
    ['Plate check', detectors.buildPlateMarker]
  ] as const).filter(([, { supported }]) => supported).map(([name, { enabled }]) => fact(name, enabled))
  return [
    { name: 'Stream', value: CAMERAS[model.camera], className: '', sign: 'full' },
    ...live,
    fact('Recording', device.recording),
    fact('Timelapse', device.timelapse),
    fact('Lidar', model.lidar, ['yes', 'none']),
    ...watching
  ]
}

const ROW = 25
const TOP = 78
const COLUMNS = { camera: { x: EDGE, value: 106 }, steps: { x: 200, value: 310 } }

function drawSign (sign: Sign, x: number, y: number): string {
  const cy = y - 4
  switch (sign) {
    case 'full': return tag('circle', { class: 'f3', cx: x, cy, r: 4.5 })
    case 'half': return tag('circle', { class: 'f1', cx: x, cy, r: 4.5 })
    case 'ring': return tag('circle', { class: 'o', cx: x, cy, r: 4, 'stroke-width': 1.6 })
    case 'dash': return tag('path', { class: 'o', d: `M${x - 4} ${cy}h8`, 'stroke-width': 1.6 })
  }
}

interface Column { readonly x: number, readonly value: number }

const drawRows = (rows: readonly Row[], { x, value: valueX }: Column) => rows.map((row, at) => {
  const y = TOP + at * ROW
  return drawSign(row.sign, x + 5, y) + label(x + 16, y, row.name, { class: 'm' }) +
    label(valueX, y, row.value, { class: row.className === '' ? undefined : row.className })
}).join('')

/** Calibration is reported only as part of a job, so the text names that job. */
const jobWords = ({ job }: PrinterState): string => {
  if (isActive(job.gcodeState)) return 'In this job'
  return job.plannedStages.length > 0 ? 'In the last job' : 'No job yet'
}

const inWords = (rows: readonly Row[]) => rows.map(({ name, value }) => `${name}: ${value}`).join(', ')

function render ({ state, model }: ChartView): string {
  if (!state) return note({ id: ID, title: TITLE, ...EMPTY })
  const camera = cameraRows(state, model)
  const steps = stepRows(state, model)
  const heading = jobWords(state)
  return frame({
    id: ID,
    title: TITLE,
    description: `Camera: ${inWords(camera)}. ${heading}: ${inWords(steps)}.`,
    body: label(COLUMNS.camera.x, 52, 'Camera', { class: 'b' }) + drawRows(camera, COLUMNS.camera) +
      label(COLUMNS.steps.x, 52, `Calibration: ${heading.toLowerCase()}`, { class: 'b' }) +
      drawRows(steps, COLUMNS.steps)
  })
}

export default defineChart({ id: ID, title: TITLE, render })
