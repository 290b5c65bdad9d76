import { attempt } from './dialogs.js'
import { call } from './api.js'
import { Card, Switch } from './ui.js'
import { words } from './format.js'
import { html } from './lib.js'
import { SPEEDS } from './model.js'

const setLight = on => attempt(`Light ${on ? 'on' : 'off'}`, () => call('set_light_state', { state: on ? 'on' : 'off' }))
const setSpeed = level => attempt(`Speed: ${level}`, () => call('set_speed_level', { level }))

/** Light and speed. */
export const Controls = ({ view }) => html`<${Card} id="controls" title="Light and speed">
  <div class="row two"><${Switch} label="Light" on=${view.light} onChange=${setLight} />
    <fieldset class="segments" disabled=${!view.job.isBusy}
      title=${view.job.isBusy ? null : 'The speed can be changed only while the printer is printing'}><legend class="hidden">Speed</legend>
      ${SPEEDS.map(level => html`<label key=${level}><input type="radio" name="speed" value=${level}
        checked=${view.speed === level} onClick=${event => { event.preventDefault(); void setSpeed(level) }} />
        <span>${words(level)}</span></label>`)}
    </fieldset></div>
<//>`
