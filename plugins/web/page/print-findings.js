import { t } from 'shell'
import { call, has } from './api.js'
import { html, useEffect, useState } from './lib.js'

const ROUTE = 'toolpath/summary'
const NOTHING = { key: '', findings: [], problem: '' }
const CLASSES = { stop: 'bad', warn: 'warn', note: 'faint' }

const asks = ({ weight }) => weight !== 'note'
const isFinal = ({ weight, may_accept: mayAccept }) => weight === 'stop' && !mayAccept

/** The findings in a plate as it would be printed; undefined while it is read. */
function useFindings (file, plate, source) {
  const [read, setRead] = useState(/** @type {any} */ (NOTHING))
  const isAsked = source !== undefined && has(ROUTE)
  const { ams_mapping: mapping, bed_type: bed } = source ?? {}
  const key = isAsked ? JSON.stringify([file, plate, mapping, bed]) : NOTHING.key
  useEffect(() => {
    let gone = false
    const put = next => gone || setRead(next)
    put(isAsked ? undefined : NOTHING)
    if (isAsked) {
      call(ROUTE, { file, plate, bed_type: bed, ams_mapping: mapping }).then(
        ({ findings }) => put({ key, findings, problem: '' }),
        error => put({ key, findings: [], problem: error.message }))
    }
    return () => { gone = true }
  }, [key])
  return read?.key === key ? read : undefined
}

const Findings = ({ findings }) => findings.map((finding, at) => html`<p key=${at}
  class=${CLASSES[finding.weight]}>${finding.message}. ${finding.remedy}</p>`)

/**
 * What reading the moves of a plate has found, and whether it may be printed.
 * @param {string} file
 * @param {number} plate
 * @param {{ bed_type: string, ams_mapping?: string } | undefined} source undefined: nothing to judge
 * @returns {{ isAllowed: boolean, isStopped: boolean, accepted: string[], view: any }}
 *   `accepted`: codes that the user has accepted; a start before the plate is read is judged by the service
 */
export function usePlateFindings (file, plate, source) {
  const read = useFindings(file, plate, source)
  /** The findings that the user accepted; new ones must be accepted again. */
  const [accepted, setAccepted] = useState(/** @type {any} */ (undefined))
  if (read === undefined) {
    const view = html`<p class="faint" role="status">${t('printer.print.findings.reading')}</p>`
    return { isAllowed: true, isStopped: false, accepted: [], view }
  }
  const { findings, problem } = read
  const questions = findings.filter(asks)
  const isStopped = findings.some(isFinal)
  const isAccepted = accepted === read
  return {
    isStopped,
    isAllowed: !isStopped && (questions.length === 0 || isAccepted),
    accepted: isAccepted ? questions.map(({ code }) => code) : [],
    view: html`<div role="status" class="findings">
      ${problem !== '' && html`<p class="warn">${t('printer.print.findings.unread', { reason: problem })}</p>`}
      <${Findings} findings=${findings} />
      ${questions.length > 0 && !isStopped && html`<label class="check"><input type="checkbox" checked=${isAccepted}
        onChange=${event => setAccepted(event.currentTarget.checked ? read : undefined)} /> ${t('printer.print.findings.accept')}</label>`}
    </div>`
  }
}
