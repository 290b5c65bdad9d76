// The figures beside the picture.

import { $, fill, line, put, row, show } from './dom.js'
import { foldHealth, noteHistory } from './health.js'
import { hasPicture, noteProblem } from './picture.js'
import { looks, t } from './texts.js'

const KINDS = { good: 'green', busy: 'green', warn: 'amber', bad: 'red', plain: '' }
const SPEEDS = [1, 2, 3, 4]
const QUIET_STAGES = ['', 'Printing', 'Printing normally', 'Completed']
const minutes = value => value >= 60 ? Math.floor(value / 60) + 'h ' + value % 60 + 'm' : value + 'm'
const elapsed = new Map()

const heat = (name, actual, target) => {
  const off = Math.abs(target - actual)
  const kind = target <= 0 ? 'idle' : off <= 5 ? 'ok' : off <= 40 ? 'warm' : ''
  const text = actual.toFixed(1) + '°C' + (target > 0 ? ' / ' + target + '°C' : '')
  return row(name, text, kind + (target > 0 && target - actual > 10 ? ' pulse' : ''))
}

const showSpeed = ({ fps, fps_cap: cap, fps_history: history }) => {
  const shown = hasPicture() ? fps : 0
  put($('fps'), String(shown))
  $('fps').parentElement.className = 'fps ' + (shown >= cap * 0.8 ? 'high' : shown >= cap * 0.4 ? 'mid' : 'low')
  $('fps-line').firstElementChild.setAttribute('d', line(history, 60, 16, 0, cap))
}

const showWifi = signal => {
  const dbm = parseInt(signal, 10)
  show($('wifi'), Number.isFinite(dbm) && dbm < 0)
  const level = dbm >= -50 ? 4 : dbm >= -60 ? 3 : dbm >= -70 ? 2 : dbm >= -80 ? 1 : 0
  const [...bars] = $('wifi').querySelectorAll('i')
  bars.forEach((bar, at) => bar.classList.toggle('on', at < level))
  put($('wifi').lastElementChild, dbm + ' dBm')
}

const showErrors = errors => {
  show($('errors'), errors.length > 0)
  $('errors').classList.toggle('mild', !errors.some(error => error.is_critical))
  const list = $('error-list')
  const key = JSON.stringify(errors)
  if (list.dataset.key === key) return
  list.dataset.key = key
  list.replaceChildren(...errors.map(({ code, msg, url }) => {
    const item = document.createElement('li')
    const text = (code ? code + ' ' : '') + msg
    if (!/^https?:\/\//.test(url)) { item.textContent = text; return item }
    const link = document.createElement('a')
    link.textContent = text
    link.href = url
    link.rel = 'noreferrer noopener'
    link.target = '_blank'
    link.addEventListener('click', event => {
      if (window.open(url, '_blank', 'width=600,height=400,noopener')) event.preventDefault()
    })
    item.append(link)
    return item
  }))
}

const showFilament = (filament, active) => {
  show($('filament'), Boolean(active && filament))
  if (!filament) return
  put($('material'), filament.type)
  put($('left'), filament.remaining_pct >= 0 ? t('filament.left', { percent: filament.remaining_pct }) : '')
  const color = filament.color.replace(/^(#[0-9a-f]{6})[0-9a-f]{2}$/i, '$1')
  $('swatch').style.backgroundColor = /^(#[0-9a-f]{6}|[a-z]{3,20})$/i.test(color) ? color : '#888'
}

const showJob = (status, active) => {
  const { gcode_state: state, subtask_name: name, stage_name: stage } = status
  const known = active || state === 'FINISH'
  put($('job-name'), known && name ? name : state === 'IDLE' || !state ? t('job.none') : name || t('job.none'))
  show($('stage'), Boolean(stage) && !QUIET_STAGES.includes(stage))
  put($('stage'), stage || '')
  const percent = active ? status.print_percentage : 0
  $('bar').firstElementChild.style.transform = 'scaleX(' + percent / 100 + ')'
  $('bar').setAttribute('aria-valuenow', String(percent))
  put($('percent'), active ? percent + ' %' : '–')
  put($('layer'), known && status.total_layers > 0 ? status.current_layer + ' / ' + status.total_layers : '–')
  if (state === 'IDLE' || state === 'PREPARE') elapsed.clear()
  else if (status.elapsed_minutes > 0) elapsed.set(name, status.elapsed_minutes)
  put($('elapsed'), elapsed.has(name) ? minutes(elapsed.get(name)) : '–')
  put($('remaining'), active && status.remaining_minutes > 0 ? minutes(status.remaining_minutes) : '–')
}

const showTemperatures = status => {
  const { nozzles } = status
  const names = nozzles.length > 1 ? { 0: t('nozzle.right'), 1: t('nozzle.left') } : {}
  const rows = [...nozzles].sort((a, b) => b.id - a.id)
    .map(({ id, temp, target }) => heat(names[id] || t('nozzle'), temp, target))
  rows.push(heat(t('bed'), status.bed_temp, status.bed_temp_target))
  const { chamber_temp: chamber, chamber_temp_target: wanted } = status
  if (chamber > 0 || wanted > 0) rows.push(heat(t('chamber'), chamber, wanted))
  fill('temperature-rows', rows)
}

const FANS = [
  ['part_cooling_pct', 'part'], ['aux_pct', 'aux'], ['exhaust_pct', 'exhaust'], ['heatbreak_pct', 'heatbreak']
]

const showWarnings = ({ is_chamber_door_open: door, is_chamber_lid_open: lid, ams_humidity_index: humidity }) => {
  show($('door'), Boolean(door || lid))
  put($('door'), t(door && lid ? 'open.both' : door ? 'open.door' : 'open.lid'))
  show($('humid'), humidity === 1 || humidity === 2)
  put($('humid'), t('humid', { level: humidity }))
  $('humid').className = 'chip ' + (humidity === 1 ? 'red' : 'amber')
}

export const showStatus = status => {
  showSpeed(status)
  noteProblem(status.camera_problem)
  const { gcode_state: state } = status
  const { word, tone } = looks[status.cancelled ? 'CANCELLED' : state] ?? looks['']
  put($('state'), word)
  $('state').className = 'badge ' + KINDS[tone]
  if (state === undefined) return
  const active = state === 'RUNNING' || state === 'PREPARE' || state === 'PAUSE'
  show($('speed'), active && status.speed_level > 0)
  put($('speed'), SPEEDS.includes(status.speed_level) ? t('speed.' + status.speed_level) : '')
  showWifi(status.wifi_signal)
  showWarnings(status)
  showErrors(status.hms_errors)
  showJob(status, active)
  showTemperatures(status)
  fill('fan-rows', FANS.filter(([key]) => status[key] > 0).map(([key, name]) => row(t('fan.' + name), status[key] + ' %')))
  showFilament(status.active_filament, active)
  noteHistory(status)
  foldHealth(state)
}
