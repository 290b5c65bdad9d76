import { Dialog, html } from 'components'
import { call, number, shell, t } from 'shell'
import { useEffect, useMemo, useState } from 'preact/hooks'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { html, Icon } from 'components'
export { spoolName } from 'shell'

/** @param {number} amount */
export const grams = amount => number(Math.round(amount))
/** @param {number} share */
export const percent = share => number(share, { maximumFractionDigits: 1 })
/** @param {number} ms */
export const dayText = ms => new Date(ms).toLocaleDateString(shell.language, { dateStyle: 'medium' })
/** An amount of money; without a currency a number. @param {number} amount @param {string} currency */
export const money = (amount, currency) => currency === ''
  ? number(amount, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  : number(amount, { style: 'currency', currency })

/** Places as people count them: Shelf 2 before Shelf 10. @param {readonly any[]} places */
export const inUse = places => places.filter(({ archived }) => !archived)
  .sort((a, b) => a.name.localeCompare(b.name, shell.language, { numeric: true }))

const RIM = 46
const HUB = 17

/**
 * A spool from the side: the less is left, the thinner the ring.
 * @param {{ color: string, share: number | null }} props
 */
export const SpoolDrawing = ({ color, share }) => {
  const radius = Math.sqrt(HUB ** 2 + (RIM ** 2 - HUB ** 2) * Math.min(1, Math.max(0, share ?? 1)))
  return html`<svg class="reel" viewBox="0 0 100 100" aria-hidden="true">
    <circle class="rim" cx="50" cy="50" r=${RIM + 2} />
    <circle class=${color === '' ? 'filament unknown' : 'filament'} cx="50" cy="50" r=${radius} fill=${color || 'none'} />
    <circle class="hub" cx="50" cy="50" r=${HUB} /><circle class="hole" cx="50" cy="50" r="6" />
  </svg>`
}

/** How much of a spool is left, 0 to 1; null when unknown. */
export const shareOf = ({ left_g: left, net_g: net }) => left === null || !net ? null : left / net

export const leftText = left => left === null ? t('spools.left.unknown') : t('spools.left', { grams: grams(left) })

/** The address of a spool on this service. @param {string} id */
export const spoolLink = id => `${shell.base}spools/${encodeURIComponent(id)}`

export const pathOf = (id, rest = '') => `spools/${encodeURIComponent(id)}${rest}`

export const Field = ({ label, hint = '', children }) => html`<label class="field"><span>${label}</span>${children}
  ${hint !== '' && html`<small class="hint">${hint}</small>`}</label>`

/** Reads something, and reads it again when asked to. @param {string} path @param {Record<string, unknown>} [params] */
export function useRead (path, params = {}) {
  const [state, setState] = useState(/** @type {{ body?: any, problem: string }} */ ({ problem: '' }))
  const key = JSON.stringify([path, params])
  const refresh = useMemo(() => async () => {
    try {
      const body = await call('GET', path, params)
      setState({ body, problem: '' })
    } catch (error) {
      setState(known => ({ ...known, problem: /** @type {Error} */ (error).message }))
    }
  }, [key])
  useEffect(() => { void refresh() }, [refresh])
  return { ...state, refresh }
}

/** What a dialogue's work returns when it is to stay open. */
export const STAY = Symbol('stay')

/**
 * A dialogue with a form that is sent once, and stays open with the reason when that fails.
 * @param {{ title: string, yes: string, danger?: boolean, onSend: (form: HTMLFormElement) => Promise<unknown>,
 *   onClose: () => void, wide?: boolean, children?: any }} props
 */
export function FormDialog ({ title, yes, danger = false, onSend, onClose, wide = false, children }) {
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const send = async event => {
    event.preventDefault()
    if (runs) return
    setRuns(true)
    try {
      if (await onSend(event.currentTarget) === STAY) setRuns(false)
      else onClose()
    } catch (error) {
      setProblem(t('spools.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  return html`<${Dialog} title=${title} wide=${wide} onClose=${onClose}>
    <form class="edit" onSubmit=${send}>${children}
      <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
      <div class="buttons end"><button type="button" onClick=${onClose}>${t('spools.cancel')}</button>
        <button class=${danger ? 'danger' : 'primary'} disabled=${runs}>${yes}</button></div>
    </form>
  <//>`
}
