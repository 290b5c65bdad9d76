// Further options of a job, collapsed at first.

import { t } from 'shell'
import { html } from './lib.js'

const MATCHES = ['exact', 'near', 'any']
const MOST_RETRIES = 10
const OTHERWISE = ['ask', 'start']
const MOST_NOTE = 2_000

const Match = ({ name }) => html`<label>${t(`queue.${name}`)}
  <select name=${name}>${MATCHES.map(match =>
    html`<option value=${match} selected=${match === 'near'}>${t(`queue.match.${match}`)}</option>`)}</select></label>`

const Check = ({ name }) =>
  html`<label class="choice"><input type="checkbox" name=${name} /> ${t(`queue.${name}`)}</label>`

const numberIn = (data, name) => String(data.get(name)) === '' ? undefined : Number(data.get(name))

/** Without a temperature for the bed, the table of materials counts unless it is told not to. @param {FormData} data */
function soakIn (data) {
  const bed = numberIn(data, 'soak_bed')
  if (bed === undefined) return data.has('soak_none') ? { soak: null } : {}
  return { soak: { bed, chamber: numberIn(data, 'soak_chamber'), minutes: numberIn(data, 'soak_minutes'), otherwise: String(data.get('soak_otherwise')) } }
}

/** @param {FormData} data @returns members of the API request; empty fields are left out */
export function needsIn (data) {
  const at = Date.parse(String(data.get('not_before')))
  const note = String(data.get('note')).trim()
  return {
    material: String(data.get('material')),
    color: String(data.get('color')),
    retries: Number(data.get('retries')),
    allow_low: data.has('allow_low'),
    end_in_hours: data.has('end_in_hours'),
    ...(at > 0 && { not_before: at }),
    ...soakIn(data),
    ...(note !== '' && { note })
  }
}

export const Needs = () => html`<details class="needs"><summary>${t('queue.needs')}</summary>
  <div class="fields">
    <${Match} name="material" /><${Match} name="color" />
    <label>${t('queue.retries')} <input type="number" name="retries" min="0" max=${MOST_RETRIES} defaultValue="0" required /></label>
    <label>${t('queue.not_before')} <input type="datetime-local" name="not_before" /></label>
  </div>
  <div class="choices"><${Check} name="allow_low" /><${Check} name="end_in_hours" /></div>
  <fieldset class="soak"><legend>${t('queue.soak.title')}</legend><div class="fields">
    <label>${t('queue.soak.bed')} <input type="number" name="soak_bed" min="30" max="120" /></label>
    <label>${t('queue.soak.chamber')} <input type="number" name="soak_chamber" min="30" max="65" /></label>
    <label>${t('queue.soak.minutes')} <input type="number" name="soak_minutes" min="0" max="45" defaultValue="10" /></label>
    <label>${t('queue.soak.otherwise')} <select name="soak_otherwise">${OTHERWISE.map(one =>
      html`<option value=${one} selected=${one === 'ask'}>${t(`queue.soak.otherwise.${one}`)}</option>`)}</select></label>
  </div><${Check} name="soak_none" /><small>${t('queue.soak.hint')}</small></fieldset>
  <label class="note">${t('queue.note')} <textarea name="note" rows="2" maxlength=${MOST_NOTE}></textarea></label>
</details>`
