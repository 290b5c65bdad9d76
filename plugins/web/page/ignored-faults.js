import { dateTime, t } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, has } from './api.js'
import { html, useEffect, useState } from './lib.js'

/** @param {string} code @param {boolean} ignore */
const setIgnored = (code, ignore) => attempt(t(ignore ? 'printer.faults.ignored' : 'printer.faults.counts'),
  () => call('ignore_fault', { code, ignore }))

async function ignore ({ code }) {
  const yes = await confirm({
    title: t('printer.faults.ignore.title'), text: t('printer.faults.ignore.sure', { code }), action: t('printer.faults.ignore')
  })
  if (yes) await setIgnored(code, true)
}

/** Refused commands and notes cannot be ignored, only faults. @param {any} fault */
const canIgnore = ({ type, severity }) => type !== 'command_error' && severity !== 'Info'

export const IgnoreButton = ({ fault }) => has('ignore_fault') && canIgnore(fault) && html`
  <button type="button" class="small" onClick=${() => ignore(fault)}>${t('printer.faults.ignore')}</button>`

/**
 * Ignored faults of this printer, also those not reported now. Reloaded when the printer's faults change.
 * @param {{ seen: string }} props codes and ignored flags of the reported faults
 */
export function IgnoredFaults ({ seen }) {
  const [ignored, setList] = useState(/** @type {any[]} */ ([]))
  const load = () => call('ignored_faults').then(answer => setList(answer.ignored), () => setList([]))
  useEffect(() => { if (has('ignored_faults')) void load() }, [seen])
  if (ignored.length === 0) return null
  const restore = async code => { await setIgnored(code, false); await load() }
  return html`<details class="recent" id="ignored-faults"><summary>${t('printer.faults.list', { number: ignored.length })}</summary><ul>
    ${ignored.map(({ code, text, since, by }) => html`<li key=${code}>${text} <code class="faint">${code}</code>
      <span class="faint">${dateTime(since)} · ${by}</span>
      ${has('ignore_fault') && html`<button type="button" class="small" onClick=${() => restore(code)}>${t('printer.faults.restore')}</button>`}
    </li>`)}</ul></details>`
}
