// Which alerts reach a place: a part of its form.

import { useState } from 'preact/hooks'
import { shell, t } from 'shell'
import { alertName, html } from './lib.js'

/** Alerts that people know from their printers; the others are behind "Other events". */
const COMMON = ['job_finished', 'job_failed', 'job_paused', 'hms_error_new', 'health_escalated', 'plate_needs_clearing', 'queue_blocked', 'spool_low']

const Choice = ({ name, value, isOn, text }) => html`<label class="choice" key=${value}>
  <input type="checkbox" name=${name} value=${value} defaultChecked=${isOn} /> ${text}</label>`

function Printers ({ chosen }) {
  const [all, setAll] = useState(chosen === null)
  const names = [...new Set([...shell.printers, ...chosen ?? []])]
  if (names.length < 2) {
    return chosen?.map(name => html`<input key=${name} type="hidden" name="printers" value=${name} />`) ??
      html`<input type="hidden" name="all_printers" value="on" />`
  }
  return html`<fieldset class="choices"><legend>${t('messages.printers')}</legend>
    <label class="choice"><input type="checkbox" name="all_printers" checked=${all} onChange=${({ target }) => setAll(target.checked)} />
      ${t('messages.printers.all')}</label>
    ${!all && names.map(name => Choice({ name: 'printers', value: name, isOn: chosen?.includes(name) ?? false, text: name }))}
  </fieldset>`
}

/** @param {{ name: string, label: string, value: string, choices: string[] }} options */
const Select = ({ name, label, value, choices }) => html`<label class="field"><span>${label}</span>
  <select name=${name}>${choices.map(choice => html`<option value=${choice} selected=${choice === value}>
    ${t(`messages.${name}.${choice}`)}</option>`)}</select></label>`

/** @param {{ rule: any, alerts: string[], kind: any }} options */
export function RuleFields ({ rule, alerts, kind }) {
  const isOn = type => rule.alerts.includes(type)
  const known = [...new Set([...alerts, ...rule.alerts])]
  const common = COMMON.filter(type => known.includes(type))
  const others = known.filter(type => !common.includes(type))
  const box = type => Choice({ name: 'alerts', value: type, isOn: isOn(type), text: alertName(type) })
  const attach = ['none', ...kind.picture ? ['picture'] : [], ...kind.clip ? ['clip'] : []]
  return html`<fieldset class="choices"><legend>${t('messages.what')}</legend>${common.map(box)}</fieldset>
    <details open=${others.some(isOn)}><summary>${t('messages.what.more')}</summary>
      <div class="choices">${others.map(box)}</div></details>
    <${Printers} chosen=${rule.printers} />
    <div class="fields">
      ${attach.length > 1 && Select({ name: 'attach', label: t('messages.attach'), value: rule.attach, choices: attach })}
      ${Select({ name: 'nights', label: t('messages.nights'), value: rule.nights, choices: ['wait', 'severe', 'send'] })}
    </div>`
}

/** @param {FormData} form @throws if it is for some printers and none is chosen, which must not become all */
export function ruleIn (form) {
  const printers = form.getAll('printers').map(String)
  const isForAll = form.has('all_printers')
  if (!isForAll && printers.length === 0) throw new Error(t('messages.printers.none'))
  return {
    alerts: form.getAll('alerts').map(String),
    printers: isForAll ? null : printers,
    attach: String(form.get('attach') ?? 'none'),
    nights: String(form.get('nights'))
  }
}
