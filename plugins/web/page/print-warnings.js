import * as words from 'shell'
import { call, takes } from './api.js'
import { html, useEffect, useState } from './lib.js'
import { needsAccept, warningLines } from '../../shell/page/mapping.js'

const NOTHING = { key: '', warnings: [], error: '' }

/**
 * The service's judgement of a print, requested again whenever its filament source changes, or the conditions: what is
 * loaded, and what was printed since.
 * @param {string} file
 * @param {number} plate
 * @param {{ use_ams: boolean, bed_type: string, ams_mapping?: string } | undefined} source undefined: nothing to judge
 * @param {string} conditions
 * @returns {{ key: string, warnings: readonly any[], error: string } | undefined} undefined while loading
 */
export function useJudgement (file, plate, source, conditions) {
  const [judged, setJudged] = useState(/** @type {any} */ (NOTHING))
  const isJudged = source !== undefined && takes('preview_ams_mapping', 'use_ams')
  const key = isJudged ? JSON.stringify([file, plate, source, conditions]) : NOTHING.key
  useEffect(() => {
    let gone = false
    const put = next => gone || setJudged(next)
    put(isJudged ? undefined : NOTHING)
    if (isJudged) {
      call('preview_ams_mapping', { file, plate, ...source }).then(
        ({ warnings = [], error = '' }) => put({ key, warnings, error }),
        error => put({ key, warnings: [], error: error.message }))
    }
    return () => { gone = true }
  }, [key])
  return judged?.key === key ? judged : undefined
}

/** The warnings, and a checkbox to print anyway. */
export const PrintWarnings = ({ judged, accepted, onAccept }) => {
  const lines = warningLines(judged, words)
  if (lines.length === 0) return null
  return html`<div role="status">${lines.map(line => html`<p key=${line} class=${needsAccept(judged) ? 'bad' : 'warn'}>${line}</p>`)}</div>
    ${needsAccept(judged) && html`<label class="check"><input type="checkbox" checked=${accepted}
      onChange=${event => onAccept(event.currentTarget.checked)} /> ${words.t('printer.print.accept')}</label>`}`
}
