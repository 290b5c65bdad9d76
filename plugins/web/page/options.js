import { attempt } from './dialogs.js'
import { call, has } from './api.js'
import { Switch } from './ui.js'
import { html } from './lib.js'

const OPTIONS = [
  ['auto_recovery', 'Resume after power loss'], ['filament_tangle_detect', 'Pause on tangled filament'],
  ['sound_enable', 'Sounds'], ['auto_switch_filament', 'Switch to a matching spool'],
  ['nozzle_blob_detect', 'Detect blobs'], ['air_print_detect', 'Detect air printing']
]
const AMS = [
  ['calibrate_remain_flag', 'Estimate remaining filament'], ['startup_read_option', 'Read tags at power-on'],
  ['tray_read_option', 'Read tags when inserted']
]

const setOption = (option, label) => on => attempt(`${label}: ${on ? 'on' : 'off'}`, () => call('set_print_option', { option, enabled: on }))
const setAms = (setting, label) => on => attempt(`${label}: ${on ? 'on' : 'off'}`, () => call('set_ams_user_setting', { setting, enabled: on }))

const Group = ({ id, title, rows, set, settings }) => rows.length > 0 && html`
  <div role="group" aria-labelledby=${id}><h3 id=${id}>${title}</h3>
    ${rows.map(([name, label]) => html`<div key=${name} class="setting">
      <${Switch} label=${label} on=${settings[name] === true} onChange=${set(name, label)} /></div>`)}</div>`

/** Settings of the printer and of its AMS. */
export const Options = ({ view: { capabilities, settings, units } }) => html`
  ${has('set_print_option') && html`<${Group} id="options-title" title="Print options" set=${setOption} settings=${settings}
    rows=${OPTIONS.filter(([name]) => capabilities[`has_${name}_support`])} />`}
  ${has('set_ams_user_setting') && html`<${Group} id="ams-title" title="AMS" set=${setAms} settings=${settings}
    rows=${units.length > 0 ? AMS : []} />`}`
