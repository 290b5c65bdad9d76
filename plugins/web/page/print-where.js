import { hasPage, shell, t } from 'shell'
import { attempt } from './dialogs.js'
import { call, has } from './api.js'
import { html, useEffect, useState } from './lib.js'
import { Elsewhere, More } from './print-elsewhere.js'
import { toLibrary } from './upload.js'

/**
 * Stores the file in the library and queues one copy.
 * @param {File} source @param {number} plate @param {any} options @param {readonly string[]} printers empty for any
 */
export const toQueue = (source, plate, options, printers) => attempt(t('printer.print.queued'), async () => {
  const { id } = await toLibrary(source)
  return await call('queue', {
    file: id,
    plate,
    bed_type: options.plate,
    bed_leveling: options.bl,
    flow_calibration: options.flow,
    timelapse: options.tl,
    ...(printers.length > 0 && { printers })
  }, { method: 'post' })
})

/** Names of the queue's groups. @param {boolean} isAsked */
function useGroups (isAsked) {
  const [groups, setGroups] = useState(/** @type {readonly string[]} */ ([]))
  useEffect(() => {
    if (!isAsked || !has('queue/groups')) return
    call('queue/groups', {}, { method: 'get' }).then(
      body => setGroups(body.groups.map(({ name }) => name)),
      () => {}) // printers can be chosen without them
  }, [isAsked])
  return groups
}

/** More are folded. */
const MANY = 12

/** On which printers the queue may print: on any, in groups, on single ones. */
function Which ({ chosen, onToggle }) {
  const groups = useGroups(shell.printers.length > 1)
  const row = (name, isFound = true) => html`<label key=${name} class="check" hidden=${!isFound}><input type="checkbox"
    checked=${chosen.includes(name)} onChange=${() => onToggle(name)} /> ${name}</label>`
  return html`<div role="group" aria-label=${t('printer.print.which')}>
    ${groups.length > 0 && html`<div class="which">${groups.map(name => row(name))}</div>`}
    ${shell.printers.length > MANY
      ? html`<${More} title=${t('printer.print.which.printers', { count: shell.printers.length })} names=${shell.printers} row=${row} />`
      : html`<div class="which">${shell.printers.map(name => row(name))}</div>`}</div>`
}

/** The choice to print here now, on another printer, or by the queue on any free one. */
export function Where ({ where, printer, others, models, onChange }) {
  const toggle = name => onChange({
    ...where,
    printers: where.printers.includes(name) ? where.printers.filter(other => other !== name) : [...where.printers, name]
  })
  const choice = (queued, text) => html`<label class="check"><input type="radio" name="where"
    checked=${where.queued === queued && where.other === ''} onChange=${() => onChange({ ...where, queued, other: '' })} /> ${text}</label>`
  return html`<fieldset class="where"><legend>${t('printer.print.where')}</legend>
    ${choice(false, t('printer.print.here', { printer }))}
    ${others.length > 0 && html`<${Elsewhere} others=${others} models=${models} chosen=${where.other}
      onChoose=${other => onChange({ ...where, queued: false, other })} />`}
    ${hasPage('queue') && choice(true, t('printer.print.queue'))}
    ${where.queued && shell.printers.length > 1 && html`<${Which} chosen=${where.printers} onToggle=${toggle} />`}
  </fieldset>`
}
