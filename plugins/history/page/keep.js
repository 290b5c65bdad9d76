// How long prints and their telemetry are kept.

import { number, t } from 'shell'
import { sizeText } from '../../shell/page/format.js'
import { dayText, KeepCard } from '../../shell/page/keep-card.js'
import { html } from './lib.js'

const FIELDS = {
  keep_days: {
    word: 'prints',
    unit: 'days',
    used: ({ prints, oldest_at: oldest }) => oldest === null ? '' : t('history.keep.since', { count: prints, number: number(prints), date: dayText(oldest) })
  },
  keep_telemetry_days: { word: 'telemetry', unit: 'days' },
  keep_telemetry_mib: { word: 'room', unit: 'mib', used: ({ telemetry_bytes: bytes }) => t('history.keep.used', { size: sizeText(bytes) }) }
}

const goneParts = ({ prints, telemetry_bytes: bytes }) => [
  prints > 0 && t('history.keep.gone.prints', { count: prints, number: number(prints) }),
  bytes > 0 && t('history.keep.gone.telemetry', { size: sizeText(bytes) })
]

/** @param {{ onDone: () => void }} props called after a change */
export const Keep = ({ onDone }) => html`<${KeepCard} id="keep" path="history/keeping" prefix="history.keep" fields=${FIELDS}
  goneParts=${goneParts} onDone=${onDone} />`
