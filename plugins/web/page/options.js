import { t } from 'shell'
import { attempt } from './dialogs.js'
import { call, has } from './api.js'
import { Switch } from './ui.js'
import { html } from './lib.js'

const OPTIONS = [
  'auto_recovery', 'filament_tangle_detect', 'sound_enable', 'auto_switch_filament', 'nozzle_blob_detect', 'air_print_detect'
]
const AMS = ['calibrate_remain_flag', 'startup_read_option', 'tray_read_option']

const said = (label, on) => t(on ? 'printer.options.on' : 'printer.options.off', { what: label })

const setOption = (option, label) => on => attempt(said(label, on), () => call('set_print_option', { option, enabled: on }))
const setAms = (setting, label) => on => attempt(said(label, on), () => call('set_ams_user_setting', { setting, enabled: on }))

const Group = ({ id, title, rows, set, settings }) => rows.length > 0 && html`
  <div role="group" aria-labelledby=${id}><h3 id=${id}>${title}</h3>
    ${rows.map(name => ({ name, label: t(`printer.options.${name}`) })).map(({ name, label }) => html`<div key=${name} class="setting">
      <${Switch} label=${label} on=${settings[name] === true} onChange=${set(name, label)} /></div>`)}</div>`

/** Settings of the printer and of its AMS. */
export const Options = ({ view: { capabilities, settings, units } }) => html`
  ${has('set_print_option') && html`<${Group} id="options-title" title=${t('printer.options')} set=${setOption} settings=${settings}
    rows=${OPTIONS.filter(name => capabilities[`has_${name}_support`])} />`}
  ${has('set_ams_user_setting') && html`<${Group} id="ams-title" title="AMS" set=${setAms} settings=${settings}
    rows=${units.length > 0 ? AMS : []} />`}`
