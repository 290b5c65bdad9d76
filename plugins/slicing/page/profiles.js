// Profiles of people's own slicers, in place of the built-in ones.

import { call, number, t } from 'shell'
import { html, useRef, useState } from './lib.js'

const FORBIDDEN = 403
/** Characters of all files together, as they are sent: the service takes little more. */
const MOST_CHARACTERS = 900_000
/** What PrusaSlicer exports; all else is of OrcaSlicer and Bambu Studio. */
const CONFIGURATION = /\.(ini|gcode)$/i
const TEXT = /\.json$/i

/** @param {File} file */
const base64Of = async file =>
  btoa(Array.from(new Uint8Array(await file.arrayBuffer()), byte => String.fromCharCode(byte)).join(''))

/** One configuration, or presets with a bundle or several files. @param {File[]} files */
async function importProfile (files) {
  const [first] = files
  // Of several, the service takes the name from what is in them.
  const name = files.length > 1 ? undefined : first.name.replace(/\.[a-z0-9_]+$/i, '').slice(0, 80)
  if (files.reduce((sum, { size }) => sum + size, 0) > MOST_CHARACTERS) throw new Error(t('slicing.profile.large'))
  if (CONFIGURATION.test(first.name)) return await call('POST', 'slicing/profiles', { name, text: await first.text() })
  const contents = await Promise.all(files.map(file => TEXT.test(file.name) ? file.text() : base64Of(file)))
  if (JSON.stringify(contents).length > MOST_CHARACTERS) throw new Error(t('slicing.profile.large'))
  return await call('POST', 'slicing/profiles', { name, files: contents })
}

const ACCEPT = '.ini,.gcode,.json,.bbscfg,.bbsflmt,.orca_printer,.orca_filament,.zip'

const figures = ({ material, layer_mm: layer, nozzle_c: nozzle, bed_c: bed }) =>
  t('slicing.profile.is', { material, layer: number(layer), nozzle, bed })

const Chosen = ({ profile }) => html`<p class="faint">${figures(profile)} ${t('slicing.profile.code')}
  ${profile.kind === 'presets' && ` ${t('slicing.profile.presets')}`}
  ${profile.changed.length > 0 && ` ${t('slicing.profile.changed', { keys: profile.changed.join(', ') })}`}</p>`

/**
 * A choice between the built-in profiles and imported ones, and a button that imports another.
 * @param {{ imported: any[], chosen?: string, onChoose: (id?: string) => void, onImported: () => Promise<void> }} props
 */
export function Profiles ({ imported, chosen, onChoose, onImported }) {
  const [problem, setProblem] = useState('')
  const input = useRef(/** @type {any} */ (null))
  const profile = imported.find(({ id }) => id === chosen)
  const take = async files => {
    setProblem('')
    try {
      const { id } = await importProfile(files)
      await onImported()
      onChoose(id)
    } catch (error) {
      const { status, message } = /** @type {any} */ (error)
      setProblem(status === FORBIDDEN ? t('slicing.profile.forbidden') : message)
    }
  }
  return html`<div class="profile"><label class="field"><span>${t('slicing.profile')}</span>
      <select value=${chosen ?? ''} onChange=${({ target }) => onChoose(target.value || undefined)}>
        <option value="">${t('slicing.profile.builtin')}</option>
        ${imported.map(({ id, name, problem: unfit }) => html`<option key=${id} value=${id} disabled=${unfit !== ''}>
          ${unfit === '' ? name : t('slicing.profile.unfit', { name })}</option>`)}</select></label>
    <input ref=${input} type="file" hidden multiple accept=${ACCEPT} tabindex="-1" aria-label=${t('slicing.profile.import')}
      onChange=${({ target }) => { if (target.files[0]) void take([...target.files]); target.value = '' }} />
    <button type="button" class="quiet" onClick=${() => input.current.click()}>${t('slicing.profile.import')}</button></div>
  ${profile && html`<${Chosen} profile=${profile} />`}
  ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}`
}
