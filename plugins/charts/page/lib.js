// What the parts of the page have in common.

import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { html } from 'components'
import { number, t } from 'shell'

export { render } from 'preact'
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
export { html, Icon } from 'components'

/**
 * The answer to a request, repeated whenever its key changes; the last one stays until then.
 * @param {() => Promise<any>} ask @param {string} key
 */
export function useAnswer (ask, key) {
  const [answer, setAnswer] = useState(/** @type {{ body?: any, problem?: string }} */ ({}))
  useEffect(() => {
    let isWanted = true
    ask().then(body => { if (isWanted) setAnswer({ body }) },
      error => { if (isWanted) setAnswer({ problem: t('charts.failed', { reason: error.message }) }) })
    return () => { isWanted = false }
  }, [key])
  return answer
}

/** The width of an element, so that drawings have text of the right size. @returns {[any, number]} */
export function useWidth () {
  const place = useRef(/** @type {any} */ (null))
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    const measure = () => setWidth(Math.round(element.clientWidth))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  return [place, width]
}

export const hours = seconds => t('charts.hours', {
  hours: number(seconds / 3600, { maximumFractionDigits: seconds < 36_000 ? 1 : 0 })
})

/** A count that chooses a text, and as a number in it. @param {number} count */
export const counted = count => ({ count, number: number(count) })

const KILO = 1000
export const grams = value => value < KILO
  ? `${number(value, { maximumFractionDigits: 0 })}\u00a0g`
  : `${number(value / KILO, { maximumFractionDigits: value < 10 * KILO ? 2 : 1 })}\u00a0kg`

export const percent = share => number(share, { style: 'percent', maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 })

/**
 * Buttons of which one is chosen.
 * @param {{ label: string, values: readonly string[], value: string, textOf: (value: string) => string,
 *   onChange: (value: any) => void }} props
 */
export const Choice = ({ label, values, value, textOf, onChange }) => html`<div class="buttons small" role="group"
  aria-label=${label}>
  ${values.map(one => html`<button type="button" key=${one} aria-pressed=${one === value ? 'true' : 'false'}
    onClick=${() => onChange(one)}>${textOf(one)}</button>`)}</div>`

/** Stands where an answer is still awaited. */
export const WAITING = '…'

/** One slow answer does not hold back the others for longer. */
const MOST_WAIT_MS = 4_000

const Answered = createContext((/** @type {string} */ _id) => {})

/** Says that a question has its answer, or is not asked. @param {string} id @param {boolean} isAnswered */
export function useAnswered (id, isAnswered) {
  const note = useContext(Answered)
  useLayoutEffect(() => { if (isAnswered) note(id) }, [id, isAnswered])
}

/**
 * Shows questions at once, when all have their answers: one that came later would push the others down.
 * @param {{ ids: readonly string[], isKnown: boolean, children?: any }} props `isKnown`: which ones are asked
 */
export function Together ({ ids, isKnown, children }) {
  const [answered, setAnswered] = useState(/** @type {readonly string[]} */ ([]))
  const [isLate, setLate] = useState(false)
  const note = useCallback(id => setAnswered(known => known.includes(id) ? known : [...known, id]), [])
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), MOST_WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  const isReady = isKnown && (isLate || ids.every(id => answered.includes(id)))
  return html`<${Answered.Provider} value=${note}>
    ${!isReady && html`<p class="boot" role="status">${WAITING}</p>`}
    <div class=${isReady ? 'together' : 'together waits'}>${children}</div><//>`
}

/** A question with its answer as a sentence, and the drawing below. */
export function Question ({ id, title, answer, actions = null, children = null }) {
  useAnswered(id, answer !== WAITING)
  return html`<section id=${id} class=${`card ${answer === WAITING ? 'waiting' : ''}`} aria-labelledby=${`${id}-title`}>
    <header><h2 id=${`${id}-title`}>${title}</h2>${actions}</header>
    <p class="answer">${answer}</p>
    ${children}
  </section>`
}

/**
 * A bar of shares; what it says is also said beside it.
 * @param {{ parts: readonly { name: string, value: number }[], whole: number }} props
 */
export function Bar ({ parts, whole }) {
  let at = 0
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <rect class="rest" width="100" height="4" />
    ${parts.map(({ name, value }) => {
      const x = at
      const width = whole > 0 ? value / whole * 100 : 0
      at += width
      return html`<rect class=${name} x=${x} width=${width} height="4" />`
    })}</svg>`
}

/** What the colours of a drawing mean. @param {{ parts: readonly { name: string, text: string }[] }} props */
export const Legend = ({ parts }) => html`<ul class="legend">${parts.map(({ name, text }) => html`<li key=${text}>
  <svg viewBox="0 0 10 10" aria-hidden="true"><rect class=${name} width="10" height="10" rx="3" /></svg>${text}</li>`)}</ul>`
