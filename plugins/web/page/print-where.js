import { hasPage, shell, t } from 'shell'
import { attempt } from './dialogs.js'
import { call } from './api.js'
import { html } from './lib.js'
import { Elsewhere } from './print-elsewhere.js'
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
    ${where.queued && shell.printers.length > 1 && html`<div class="which" role="group" aria-label=${t('printer.print.which')}>
      ${shell.printers.map(name => html`<label key=${name} class="check"><input type="checkbox" checked=${where.printers.includes(name)}
        onChange=${() => toggle(name)} /> ${name}</label>`)}</div>`}
  </fieldset>`
}
