// Asks for confirmation before a reprint, and for plate and spools if the record does not have them.

import { call, t } from 'shell'
import { Ask, html, useState } from './lib.js'
import { Swatch } from './list.js'

const UNUSED = -1
const FIRST_SINGLE = 128
const FIRST_HOLDER = 254

const letter = number => String.fromCharCode(65 + number)

/** @param {number} tray number as in mappings */
export function trayName (tray) {
  if (tray >= FIRST_HOLDER) return t('history.reprint.external')
  return tray >= FIRST_SINGLE ? `HT ${letter(tray - FIRST_SINGLE)}` : `${letter(tray >> 2)}${(tray & 3) + 1}`
}

const spoolsOf = ({ loaded_spools: loaded, external_spools: external }) => [
  ...loaded.map(({ tray_id: tray, ...spool }) => ({ ...spool, tray })),
  ...external.map(({ slot_id: tray, ...spool }) => ({ ...spool, tray }))
]

const Choice = ({ filament, spools, tray, onChange }) => html`<label class="spool"><${Swatch} color=${filament.color} />
  ${t('history.reprint.filament', { id: filament.id, material: filament.type })}
  <select value=${tray} onChange=${event => onChange(Number(event.currentTarget.value))}>
    <option value=${UNUSED}>${t('history.reprint.choose')}</option>
    ${spools.map(spool => html`<option key=${spool.tray} value=${spool.tray}>${trayName(spool.tray)}: ${spool.type || '–'} ${spool.color}</option>`)}
  </select></label>`

/** The value that a refusal asks for: the plate, then the spools. @param {any} body of the refusal */
async function loadQuestion ({ error, printer, file, plate }) {
  if (error === 'reprint_plate') return { plate: 1, isPlateAsked: true }
  const preview = await call('GET', 'preview_ams_mapping', { printer, file, plate })
  const { filaments } = preview
  const length = Math.max(0, ...filaments.map(({ id }) => id))
  return { plate, filaments, spools: spoolsOf(preview), mapping: Array(length).fill(UNUSED) }
}

const acceptableIn = findings => findings.filter(({ may_accept: mayAccept }) => mayAccept).map(({ code }) => code)

const isQuestion = ({ body }) => ['reprint_plate', 'reprint_spools'].includes(body?.error)

export function Reprint ({ print, onClose }) {
  const [asked, setAsked] = useState(/** @type {any} */ (null))
  /** Codes of findings for which it was refused, and which may be accepted. */
  const [findings, setFindings] = useState(/** @type {string[]} */ ([]))
  const run = async accepted => {
    const { plate, mapping } = asked ?? {}
    if (mapping && asked.filaments.some(({ id }) => mapping[id - 1] === UNUSED)) throw new Error(t('history.reprint.spools'))
    try {
      await call('POST', `history/${print.id}/reprint`, { plate, ams_mapping: mapping, accept_mismatch: accepted || undefined, accept_findings: accepted ? findings : undefined })
    } catch (error) {
      const body = /** @type {any} */ (error).body
      setFindings(acceptableIn(body?.findings ?? []))
      if (!isQuestion(/** @type {any} */ (error))) throw error
      const question = /** @type {any} */ (error).body
      setAsked(await loadQuestion(question))
      throw new Error(t(question.error === 'reprint_plate' ? 'history.reprint.plate' : 'history.reprint.spools'))
    }
    location.hash = ''
  }
  return html`<${Ask} title=${t('history.reprint.title', { name: print.name, printer: print.printer })} text=${t('history.reprint.sure')}
    yes=${t('history.reprint')} accept=${t('history.reprint.accept')} onClose=${onClose} run=${run}>
    ${asked?.isPlateAsked && html`<label>${t('history.plate')} <input type="number" min="1" value=${asked.plate}
      onInput=${event => setAsked({ ...asked, plate: Number(event.currentTarget.value) })} /></label>`}
    ${asked?.mapping && asked.filaments.map(filament => html`<${Choice} key=${filament.id} filament=${filament} spools=${asked.spools}
      tray=${asked.mapping[filament.id - 1]} onChange=${tray => setAsked({
        ...asked, mapping: asked.mapping.map((old, at) => at === filament.id - 1 ? tray : old)
      })} />`)}
  <//>`
}
