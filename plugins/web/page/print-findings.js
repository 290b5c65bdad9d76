import { clock, hasPage, hasText, linkTo, number, t } from 'shell'
import { findingWords } from '../../shell/page/findings.js'
import { call, has } from './api.js'
import { html, useEffect, useRef, useState } from './lib.js'

const ROUTE = 'toolpath/summary'
const PROGRESS = 'toolpath/progress'
const POLL_MS = 1_000
/** A reading goes on for a moment, because the same plate with other spools needs no new one. */
const LINGER_MS = 2_000
const NOTHING = { key: '', findings: [], problem: '' }
const CLASSES = { stop: 'bad', warn: 'warn', note: 'faint' }

const asks = ({ weight }) => weight !== 'note'
const isFinal = ({ weight, may_accept: mayAccept }) => weight === 'stop' && !mayAccept

/** The findings in a plate as it would be printed; undefined while it is read, which can be cancelled. */
function useFindings (file, plate, source) {
  const [read, setRead] = useState(/** @type {any} */ (NOTHING))
  const cancel = useRef(() => {})
  const isAsked = source !== undefined && has(ROUTE)
  const { ams_mapping: mapping, bed_type: bed } = source ?? {}
  const key = isAsked ? JSON.stringify([file, plate, mapping, bed]) : NOTHING.key
  useEffect(() => {
    let gone = false
    const abort = new AbortController()
    const put = next => gone || setRead(next)
    put(isAsked ? undefined : NOTHING)
    cancel.current = () => {
      put({ key, findings: [], problem: t('printer.print.findings.cancelled') })
      gone = true
      abort.abort()
    }
    if (isAsked) {
      call(ROUTE, { file, plate, bed_type: bed, ams_mapping: mapping }, { signal: abort.signal }).then(
        ({ findings }) => put({ key, findings, problem: '' }),
        error => put({ key, findings: [], problem: error.message }))
    }
    return () => { gone = true; setTimeout(() => abort.abort(), LINGER_MS) }
  }, [key])
  return { read: read?.key === key ? read : undefined, cancel: () => cancel.current() }
}

/** While the plate is read for the first time. */
function Reading ({ file, plate, onCancel }) {
  const [part, setPart] = useState(/** @type {number | undefined} */ (undefined))
  useEffect(() => {
    if (!has(PROGRESS)) return
    const abort = new AbortController()
    const ask = () => call(PROGRESS, { file, plate }, { signal: abort.signal }).then(
      ({ is_reading: isReading, bytes, total }) => { if (isReading && total > 0) setPart(bytes / total) },
      () => {}) // asked again
    const timer = setInterval(ask, POLL_MS)
    return () => { clearInterval(timer); abort.abort() }
  }, [file, plate])
  const text = t('printer.print.findings.reading')
  return html`<div class="reading"><p class="faint" role="status">${text}</p>
    ${part !== undefined && html`<progress max="1" value=${part} aria-label=${text}></progress>
      <span class="faint">${number(part, { style: 'percent', maximumFractionDigits: 0 })}</span>
      <button type="button" class="small" onClick=${onCancel}>${t('printer.print.findings.cancel')}</button>`}</div>`
}

/** Opens in another window, since the dialog would be lost. */
const Look = ({ params, children }) => hasPage('plate') && html`<a href=${linkTo('plate', params)} target="_blank">${children}</a>`

function Finding ({ finding, params }) {
  const { message, remedy, place } = findingWords(finding, { clock, hasText, number, t })
  const { layer, line } = finding
  return html`<p class=${CLASSES[finding.weight]}>${place && `${place}: `}${message}. ${remedy} ${layer > 0 && html`<${Look}
    params=${{ ...params, layer: String(layer), line: String(line) }}>${t('printer.print.findings.show')}<//>`}</p>`
}

/**
 * What reading the moves of a plate has found, and whether it may be printed.
 * @param {string} file
 * @param {number} plate
 * @param {{ bed_type: string, ams_mapping?: string } | undefined} source undefined: nothing to judge
 * @returns {{ isAllowed: boolean, isStopped: boolean, accepted: string[], view: any }}
 *   `accepted`: codes that the user has accepted; a start before the plate is read is judged by the service
 */
export function usePlateFindings (file, plate, source) {
  const { read, cancel } = useFindings(file, plate, source)
  /** The findings that the user accepted; new ones must be accepted again. */
  const [accepted, setAccepted] = useState(/** @type {any} */ (undefined))
  if (read === undefined) {
    const view = html`<${Reading} file=${file} plate=${plate} onCancel=${cancel} />`
    return { isAllowed: true, isStopped: false, accepted: [], view }
  }
  const { findings, problem } = read
  const questions = findings.filter(asks)
  const isStopped = findings.some(isFinal)
  const isAccepted = accepted === read
  const { ams_mapping: mapping, bed_type: bed } = source ?? {}
  const params = { file, plate: String(plate), ...(mapping && { ams_mapping: mapping }), ...(bed && { bed_type: bed }) }
  return {
    isStopped,
    isAllowed: !isStopped && (questions.length === 0 || isAccepted),
    accepted: isAccepted ? questions.map(({ code }) => code) : [],
    view: html`<div role="status" class="findings">
      ${problem !== '' && html`<p class="warn">${t('printer.print.findings.unread', { reason: problem })}</p>`}
      ${findings.map((finding, at) => html`<${Finding} key=${at} finding=${finding} params=${params} />`)}
      <p><${Look} params=${params}>${t('printer.print.layers')}<//></p>
      ${questions.length > 0 && !isStopped && html`<label class="check"><input type="checkbox" checked=${isAccepted}
        onChange=${event => setAccepted(event.currentTarget.checked ? read : undefined)} /> ${t('printer.print.findings.accept')}</label>`}
    </div>`
  }
}
