// While a plate is read for the first time.

import { call, number, t } from 'shell'
import { html, useEffect, useState } from './lib.js'

const POLL_MS = 1_000

/** How far it is, 0 to 1; undefined while that is not known. */
function useProgress ({ printer, file, plate }) {
  const [part, setPart] = useState(/** @type {number | undefined} */ (undefined))
  useEffect(() => {
    const abort = new AbortController()
    const ask = () => call('GET', 'toolpath/progress', { printer, file, plate }, { signal: abort.signal }).then(
      ({ is_reading: isReading, bytes, total }) => { if (isReading && total > 0) setPart(bytes / total) },
      () => {}) // asked again
    const timer = setInterval(ask, POLL_MS)
    return () => { clearInterval(timer); abort.abort() }
  }, [])
  return part
}

/** @param {{ params: any, onCancel: () => void }} props */
export function ReadingPlate ({ params, onCancel }) {
  const [seconds, setSeconds] = useState(0)
  const part = useProgress(params)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(before => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  const words = part === undefined ? '' : `${number(part, { style: 'percent', maximumFractionDigits: 0 })} · `
  return html`<div class="card reading"><progress max="1" value=${part} aria-label=${t('plate.reading')}></progress>
    <p role="status">${t('plate.reading')}</p>
    <p class="faint">${seconds >= 2 ? words + t('plate.reading.long', { count: seconds }) : ' '}</p>
    <p><button type="button" onClick=${onCancel}>${t('plate.reading.cancel')}</button></p></div>`
}
