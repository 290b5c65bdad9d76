// What the parts of this page share: amounts in words, fields, and reading again and again.

import { html } from 'components'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { call, number, t } from 'shell'

export { useEffect, useMemo, useState } from 'preact/hooks'
export { render } from 'preact'
export { Dialog, html } from 'components'

/** @param {number} wh */
export const energyText = wh => wh >= 1_000
  ? `${number(wh / 1_000, { maximumFractionDigits: 2 })} kWh`
  : `${number(wh, { maximumFractionDigits: wh < 10 ? 1 : 0 })} Wh`

/** @param {number} watts */
export const wattsText = watts => `${number(watts, { maximumFractionDigits: watts < 10 ? 1 : 0 })} W`

/** @param {number} amount @param {string} currency as people wrote it: a code, a sign, or nothing */
export function moneyText (amount, currency) {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: amount > 0 && amount < 0.1 ? 3 : 2 }
  if (/^[A-Z]{3}$/.test(currency)) return number(amount, { style: 'currency', currency, ...digits })
  return `${number(amount, digits)}${currency === '' ? '' : ` ${currency}`}`
}

/** Why a plug stays on. @param {{ code: string, values: Record<string, string | number> }} stays */
export const staysText = ({ code, values }) => t(`energy.stays.${code}`, values)

/** @param {any} error a refusal of the service: one that says why in a code is shown in the user's language */
export const problemText = error => {
  const code = error.body?.stays
  return code === undefined ? t('energy.failed', { reason: error.message }) : t('energy.stays', { reason: t(`energy.stays.${code}`, error.body.values) })
}

export const Field = ({ label, hint = '', children }) => html`<label class="field"><span>${label}</span>${children}
  ${hint !== '' && html`<small class="hint">${hint}</small>`}</label>`

/** Reads now, at intervals while the page is seen, and when asked to. @param {string} path @param {number} everyMs */
export function useRead (path, everyMs) {
  const [state, setState] = useState(/** @type {{ body?: any, problem: string }} */ ({ problem: '' }))
  const refresh = useMemo(() => async () => {
    try {
      const body = await call('GET', path)
      setState({ body, problem: '' })
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      setState(({ body }) => ({ body, problem: message }))
    }
  }, [path])
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => { if (!document.hidden) void refresh() }, everyMs)
    return () => clearInterval(timer)
  }, [refresh])
  return { ...state, refresh }
}
