import { Dialog, html } from 'components'
import { call, number, shell, t } from 'shell'
import { useEffect, useMemo, useState } from 'preact/hooks'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { html, Icon } from 'components'

export const UNITS = ['hours', 'days', 'prints', 'grams', 'abrasive_grams', 'changes', 'hot_hours', 'chamber_hours', 'drying_hours']

/** @param {number} ms */
export const dayText = ms => new Date(ms).toLocaleDateString(shell.language, { dateStyle: 'medium' })

/** An amount as people read it: kilograms from ten kilograms on. @param {string} unit @param {number} value */
export function amountText (unit, value) {
  const isWeight = unit.endsWith('grams')
  if (isWeight && value >= 10_000) return t('maintenance.unit.kg', { value: number(value / 1000, { maximumFractionDigits: 1 }) })
  return t(`maintenance.unit.${unit}`, { count: Math.round(value), value: number(Math.round(value)) })
}

/** A counter under its own heading. @param {string} name @param {number} value */
export const countText = (name, value) => name.endsWith('hours') || name.endsWith('grams')
  ? amountText(name.endsWith('hours') ? 'hours' : 'grams', value)
  : number(value)

/** The words of a task in this language. @param {{ id: string, own: boolean, name: string, why: string }} task */
export const taskName = ({ id, own, name }) => own ? name : t(`maintenance.task.${id}`)
export const taskWhy = ({ id, own, why }) => own ? why : t(`maintenance.why.${id}`)

/** How far a task is: `312 of 300 h`. @param {{ progress: { unit: string, used: number, every: number }[] }} task */
export function progressText ({ progress: [first] }) {
  if (!first) return ''
  return t('maintenance.progress', {
    used: number(Math.round(first.unit.endsWith('grams') && first.every >= 10_000 ? first.used / 1000 : first.used)), every: amountText(first.unit, first.every)
  })
}

export const everyText = every => UNITS.filter(unit => every[unit] !== undefined)
  .map(unit => amountText(unit, every[unit])).join(t('maintenance.or'))

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

export const Field = ({ label, hint = '', children }) => html`<label class="field"><span>${label}</span>${children}
  ${hint !== '' && html`<small class="hint">${hint}</small>`}</label>`

/**
 * A dialogue with a form that is sent once, and stays open with the reason when that fails.
 * @param {{ title: string, yes: string, onSend: (form: HTMLFormElement) => Promise<unknown>, onClose: () => void,
 *   before?: any, wide?: boolean, children?: any }} props
 */
export function FormDialog ({ title, yes, onSend, onClose, before = '', wide = false, children }) {
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const send = async event => {
    event.preventDefault()
    if (runs) return
    setRuns(true)
    try {
      await onSend(event.currentTarget)
      onClose()
    } catch (error) {
      setProblem(t('maintenance.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  return html`<${Dialog} title=${title} wide=${wide} onClose=${onClose}>
    <form class="edit" onSubmit=${send}>${children}
      <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
      <div class="buttons end">${before}<button type="button" onClick=${onClose}>${t('maintenance.cancel')}</button>
        <button class="primary" disabled=${runs}>${yes}</button></div>
    </form>
  <//>`
}

/** @param {string} id */
export const photoPath = id => `${shell.base}api/maintenance/done/${encodeURIComponent(id)}/photo`
