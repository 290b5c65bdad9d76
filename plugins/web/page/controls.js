import { t } from 'shell'
import { attempt } from './dialogs.js'
import { call } from './api.js'
import { Card } from './ui.js'
import { html } from './lib.js'
import { SPEEDS } from './model.js'

const wordOf = level => t(`printer.speed.${level}`)
const setSpeed = level => attempt(t('printer.speed.set', { level: wordOf(level) }), () => call('set_speed_level', { level }))

/** Speed of the running job. */
export const Controls = ({ view }) => html`<${Card} id="controls" title=${t('printer.controls')}>
  <fieldset class="segments" disabled=${!view.job.isBusy} title=${view.job.isBusy ? null : t('printer.speed.idle')}>
    <legend>${t('printer.speed')}</legend>
    ${SPEEDS.map(level => html`<label key=${level}><input type="radio" name="speed" value=${level}
      checked=${view.speed === level} onClick=${event => { event.preventDefault(); void setSpeed(level) }} />
      <span>${wordOf(level)}</span></label>`)}
  </fieldset>
  ${!view.job.isBusy && html`<p class="faint">${t('printer.speed.idle')}</p>`}
<//>`
