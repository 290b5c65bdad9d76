// Asks for confirmation before a reprint, and for plate and spools if the record does not have them.

import * as words from 'shell'
import { call, clock, filamentName, hasPage, hasText, linkTo, number, t, trayName } from 'shell'
import { findingWords } from '../../shell/page/findings.js'
import { consentOf, warningLines } from '../../shell/page/mapping.js'
import { Ask, html, useState } from './lib.js'
import { Swatch } from './list.js'

const UNUSED = -1
/** A file may be copied to the card first, which takes about a megabyte a second. */
const LONGEST_MS = 900_000

const spoolsOf = ({ loaded_spools: loaded, external_spools: external }) => [
  ...loaded.map(({ tray_id: tray, ...spool }) => ({ ...spool, tray })),
  ...external.map(({ slot_id: tray, ...spool }) => ({ ...spool, tray }))
]

const Choice = ({ filament, spools, tray, onChange }) => html`<label class="spool"><${Swatch} color=${filament.color} />
  ${t('history.reprint.filament', { id: filament.id, material: filamentName(filament.type, [filament.color]) })}
  <select value=${tray} onChange=${event => onChange(Number(event.currentTarget.value))}>
    <option value=${UNUSED}>${t('history.reprint.choose')}</option>
    ${spools.map(spool => html`<option key=${spool.tray} value=${spool.tray}>${trayName(spool.tray)}: ${filamentName(spool.type, [spool.color]) || '–'}</option>`)}
  </select></label>`

/** The value that a refusal asks for: the plate, then the spools. @param {any} body of the refusal */
async function loadQuestion ({ error, printer, file, plate }) {
  if (error === 'reprint_plate') return { plate: 1, isPlateAsked: true }
  const preview = await call('GET', 'preview_ams_mapping', { printer, file, plate })
  const { filaments } = preview
  const length = Math.max(0, ...filaments.map(({ id }) => id))
  return { plate, filaments, spools: spoolsOf(preview), mapping: Array(length).fill(UNUSED) }
}

const CLASSES = { stop: 'bad', warn: 'warn', note: 'faint' }

/** What is wrong with the plate, with links to its layers. */
const Findings = ({ print, findings }) => findings.length > 0 && html`<div class="findings">${findings.map((finding, at) => {
  const { message, remedy, place } = findingWords(finding, { clock, hasText, number, t })
  const { layer, line, weight } = finding
  const plate = String(Math.max(1, print.plate))
  const params = { printer: print.printer, file: print.project_path, plate, layer: String(layer), line: String(line) }
  return html`<p key=${at} class=${CLASSES[weight]}>${place && `${place}: `}${message}. ${remedy}
    ${layer > 0 && print.project_path && hasPage('plate') && html` <a href=${linkTo('plate', params)} target="_blank">${t('history.reprint.look')}</a>`}</p>`
})}</div>`

const acceptableIn = findings => findings.filter(({ may_accept: mayAccept }) => mayAccept).map(({ code }) => code)

/** Refusals for nothing but warnings, which they list. */
const WARNED = ['filament_mismatch', 'plate_used']

const isQuestion = ({ body }) => ['reprint_plate', 'reprint_spools'].includes(body?.error)

export function Reprint ({ print, onClose }) {
  const [asked, setAsked] = useState(/** @type {any} */ (null))
  /** For which it was refused. */
  const [findings, setFindings] = useState(/** @type {any[]} */ ([]))
  /** Shown with the last refusal: only these are accepted, not what comes true afterwards. */
  const [warnings, setWarnings] = useState(/** @type {any[]} */ ([]))
  const run = async accepted => {
    const { plate, mapping } = asked ?? {}
    if (mapping && asked.filaments.some(({ id }) => mapping[id - 1] === UNUSED)) throw new Error(t('history.reprint.spools'))
    try {
      await call('POST', `history/${print.id}/reprint`, {
        plate,
        ams_mapping: mapping,
        ...(accepted && { accept_warnings: consentOf({ warnings }), accept_findings: acceptableIn(findings) })
      }, { waitMs: LONGEST_MS })
    } catch (error) {
      const body = /** @type {any} */ (error).body
      setFindings(body?.findings ?? [])
      if (body?.warnings) setWarnings(body.warnings)
      if (body?.findings?.length > 0) throw Object.assign(new Error(t('history.reprint.findings')), { body })
      const lines = WARNED.includes(body?.error) ? warningLines({ warnings: body.warnings ?? [], error: '' }, words) : []
      if (lines.length > 0) throw Object.assign(new Error(lines.join(' ')), { body })
      if (!isQuestion(/** @type {any} */ (error))) throw error
      const question = /** @type {any} */ (error).body
      setAsked(await loadQuestion(question))
      throw new Error(t(question.error === 'reprint_plate' ? 'history.reprint.plate' : 'history.reprint.spools'))
    }
    location.hash = ''
  }
  return html`<${Ask} title=${t('history.reprint.title', { name: print.name, printer: print.printer })} text=${t('history.reprint.sure')}
    yes=${t('history.reprint')} accept=${t('history.reprint.accept')} onClose=${onClose} run=${run}>
    <${Findings} print=${print} findings=${findings} />
    ${asked?.isPlateAsked && html`<label>${t('history.plate')} <input type="number" min="1" value=${asked.plate}
      onInput=${event => setAsked({ ...asked, plate: Number(event.currentTarget.value) })} /></label>`}
    ${asked?.mapping && asked.filaments.map(filament => html`<${Choice} key=${filament.id} filament=${filament} spools=${asked.spools}
      tray=${asked.mapping[filament.id - 1]} onChange=${tray => setAsked({
        ...asked, mapping: asked.mapping.map((old, at) => at === filament.id - 1 ? tray : old)
      })} />`)}
  <//>`
}
