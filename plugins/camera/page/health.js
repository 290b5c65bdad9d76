// The result of the job monitor, and its course over the job.

import { ask } from './ask.js'
import { $, line, put, show } from './dom.js'
import { hasText, t } from './texts.js'

const MOST_POINTS = 240

const history = { success: [], confidence: [], nozzle: [], bed: [] }
const RANGES = { success: [0, 1], confidence: [0, 1], nozzle: [0, 310], bed: [0, 120] }
const SHARES = { success: true, confidence: true }
let historyOf = ''
let result
let foldedFor = ''

const format = (name, value) => {
  if (value === null || value === undefined) return '–'
  return SHARES[name] ? Math.round(value * 100) + ' %' : Math.round(value) + '°'
}

const remember = (name, value) => {
  const points = history[name]
  points.push(value ?? null)
  if (points.length > MOST_POINTS) points.shift()
  $('spark-' + name).firstElementChild.setAttribute('d', line(points, 100, 24, ...RANGES[name]))
  put($('spark-' + name + '-now'), format(name, value))
}

export const noteHistory = ({ subtask_name: name, nozzles, bed_temp: bed }) => {
  if (name && name !== historyOf) {
    historyOf = name
    for (const points of Object.values(history)) points.length = 0
  }
  remember('nozzle', nozzles[0]?.temp)
  remember('bed', bed)
}

// Opens where attention is needed and folds elsewhere; a user's choice holds until the state changes.
export const foldHealth = state => {
  if (state === foldedFor) return
  foldedFor = state
  $('health').open = ['RUNNING', 'PAUSE', 'FAILED', 'FINISH'].includes(state)
}

const fixed = (value, digits, unit) => typeof value === 'number' ? value.toFixed(digits) + unit : '–'

const KINDS = { clean: 'green', warning: 'amber', critical: 'red' }
const STANDBY = { word: 'standby', health: null }

const says = key => hasText('says.' + key) ? t('says.' + key) : ''

/** The sentence of the printer's page, in the language of this one. */
const sentenceOf = status => !status
  ? ''
  : [says(status.word), says(status.reason === null ? 'sight.' + status.sight : 'why.' + status.reason)]
      .filter(Boolean).join(' ')

/** The judged picture with marks, where something is wrong. */
const showFound = word => {
  const image = $('found')
  const isFailing = word === 'warning' || word === 'critical'
  const source = isFailing ? 'annotated?at=' + encodeURIComponent(result.timestamp) : ''
  if (source !== image.dataset.source) {
    image.dataset.source = source
    show(image, false)
    image.onload = () => show(image, true)
    if (isFailing) image.src = source
  }
  if (!isFailing) show(image, false)
}

const drawRadar = factors => {
  const names = Object.keys(factors || {})
  show($('radar'), names.length > 2)
  if (names.length <= 2) return
  const point = (at, radius) => {
    const angle = at / names.length * 2 * Math.PI - Math.PI / 2
    return [Math.cos(angle) * radius, Math.sin(angle) * radius]
  }
  const ring = radius => names.map((_, at) =>
    point(at, typeof radius === 'function' ? radius(at) : radius).map(value => value.toFixed(1)).join(',')).join(' ')
  const share = at => Math.min(1, Math.max(0.02, Number(factors[names[at]]) || 0))
  const make = (tag, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    if (text) element.textContent = text
    return element
  }
  $('radar').replaceChildren(
    ...[20, 40, 60].map(radius => make('polygon', { class: 'web', points: ring(radius) })),
    make('polygon', { class: 'shape', points: ring(at => 60 * share(at)) }),
    ...names.map((name, at) => {
      const [x, y] = point(at, 67)
      const anchor = Math.abs(x) < 8 ? 'middle' : x > 0 ? 'start' : 'end'
      return make('text', { x: x.toFixed(1), y: (y + 3).toFixed(1), 'text-anchor': anchor }, name)
    })
  )
}

export const showHealth = () => {
  const { word, health } = result?.status ?? STANDBY
  const kind = KINDS[word] ?? ''
  const building = kind !== '' && result.decision_confidence < 0.4
  const verdict = t('verdict.' + word)
  put($('verdict'), building ? t('verdict.building', { word: verdict }) : verdict)
  $('verdict').className = 'badge ' + kind
  put($('health-summary'), sentenceOf(result?.status))
  $('health-summary').className = kind === 'green' ? 'stage' : 'stage ' + kind
  showFound(word)
  $('health-bar').className = 'bar ' + kind
  $('health-bar').firstElementChild.style.transform = 'scaleX(' + (health ?? 0) + ')'
  put($('composite'), health === null ? '–' : Math.round(health * 100) + ' %')
  put($('hot'), typeof result?.hot_pct === 'number' ? fixed(result.hot_pct * 100, 1, ' %') : '–')
  put($('strand'), fixed(result?.strand_score, 4, ''))
  put($('diff'), fixed(result?.diff_score, 4, ''))
  put($('health-layer'), result?.total_layers > 0 ? result.layer + ' / ' + result.total_layers : '–')
  const air = result?.ams_humidity
  put($('health-ams'), !(air > 0) ? '–' : t(air <= 2 ? 'air.wet' : air === 3 ? 'air.damp' : 'air.dry'))
  drawRadar(word === 'standby' ? undefined : result.factor_contributions)
}

export const askHealth = async () => {
  const response = await ask('job_state?absent=204')
  const before = result?.timestamp
  result = response.status === 204 ? undefined : await response.json()
  showHealth()
  if (!result || result.timestamp === before) return
  remember('success', result.success_probability)
  remember('confidence', result.decision_confidence)
}
