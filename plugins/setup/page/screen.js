// A drawing of a printer's screen that shows where a value is read.

import { t } from 'shell'
import { html } from 'components'

const ROWS = [['host', '192.168.1.40'], ['access_code', '1a2b3c4d'], ['serial', '01P00A123400567']]
const FIRST_PX = 64
const STEP_PX = 30

/** The sentence below it says the same in words. @param {{ shows: string }} options name of a field */
export const Screen = ({ shows }) => html`<svg class="printer-screen" viewBox="0 0 240 176" aria-hidden="true">
  <rect class="body" x="2" y="2" width="236" height="172" rx="16" />
  <rect class="glass" x="14" y="14" width="212" height="148" rx="8" />
  <text x="26" y="37">${t('printers.screen.network')}</text>
  <path class="signal" d="M207 37h.1 M203 32.5a6 6 0 0 1 8 0 M199 28a12 12 0 0 1 16 0" />
  <line x1="14" y1="46" x2="226" y2="46" />
  ${ROWS.map(([field, value], at) => html`<g key=${field} class=${field === shows ? 'shown' : ''}>
    <rect class="ring" x="20" y=${FIRST_PX + at * STEP_PX - 11} width="200" height="24" rx="6" />
    <text x="28" y=${FIRST_PX + at * STEP_PX + 5}>${t(`printers.screen.${field}`)}</text>
    <text class="value" x="212" y=${FIRST_PX + at * STEP_PX + 5}>${value}</text>
  </g>`)}
</svg>`
