// Profiles of people's own slicers, in place of the built-in ones.

import { call, number, t } from 'shell'
import { html, useRef, useState } from './lib.js'

const FORBIDDEN = 403
/** Of a file; bundles of a vendor are as large. */
const MOST_BYTES = 900_000

/** @param {File} file */
async function importProfile (file) {
  if (file.size > MOST_BYTES) throw new Error(t('slicing.profile.large'))
  return await call('POST', 'slicing/profiles', { name: file.name.replace(/\.[a-z0-9]+$/i, '').slice(0, 80), text: await file.text() })
}

const figures = ({ material, layer_mm: layer, nozzle_c: nozzle, bed_c: bed }) =>
  t('slicing.profile.is', { material, layer: number(layer), nozzle, bed })

const Chosen = ({ profile }) => html`<p class="faint">${figures(profile)} ${t('slicing.profile.code')}
  ${profile.changed.length > 0 && ` ${t('slicing.profile.changed', { keys: profile.changed.join(', ') })}`}</p>`

/**
 * A choice between the built-in profiles and imported ones, and a button that imports another.
 * @param {{ imported: any[], chosen?: string, onChoose: (id?: string) => void, onImported: () => Promise<void> }} props
 */
export function Profiles ({ imported, chosen, onChoose, onImported }) {
  const [problem, setProblem] = useState('')
  const input = useRef(/** @type {any} */ (null))
  const profile = imported.find(({ id }) => id === chosen)
  const take = async file => {
    setProblem('')
    try {
      const { id } = await importProfile(file)
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
    <input ref=${input} type="file" hidden accept=".ini,.gcode" tabindex="-1" aria-label=${t('slicing.profile.import')}
      onChange=${({ target }) => { if (target.files[0]) void take(target.files[0]); target.value = '' }} />
    <button type="button" class="quiet" onClick=${() => input.current.click()}>${t('slicing.profile.import')}</button></div>
  ${profile && html`<${Chosen} profile=${profile} />`}
  ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}`
}
