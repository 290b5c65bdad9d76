import { t } from 'shell'
import { Card } from './ui.js'
import { Detectors } from './detectors.js'
import { html } from './lib.js'
import { Nozzles } from './nozzles.js'
import { Options } from './options.js'

/** Settings that are rarely changed. */
export const Settings = ({ view }) => html`<${Card} id="settings" title=${t('printer.settings')}>
  <${Detectors} view=${view} /><${Options} view=${view} /><${Nozzles} view=${view} /><//>`
