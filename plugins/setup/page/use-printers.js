// The configured printers, and what happened to them, for both pages.

import { useEffect, useState } from 'preact/hooks'
import { call, t } from 'shell'
import { html } from 'components'
import { failureOf } from './problems.js'

const REFRESH_MS = 3_000

/** The configured printers, read again every few seconds while the page is visible. */
export function usePrinters () {
  const [state, setState] = useState(/** @type {{ printers: any[] | null, problem: string }} */ ({ printers: null, problem: '' }))
  const refresh = async () => {
    try {
      const { printers } = await call('GET', 'setup/printers')
      setState({ printers, problem: '' })
    } catch (error) {
      setState(before => ({ ...before, problem: failureOf(error).text }))
    }
  }
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => { if (!document.hidden) void refresh() }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return { ...state, refresh }
}

/** What just happened, above the list. @param {{ said: { text: string, tone: string } | null }} options */
export const Said = ({ said }) => said && html`<p class=${`note ${said.tone}`} role="status">${said.text}</p>`

/** The sentence after a printer was stored. @param {string} key @param {string} name @param {boolean} isOffline */
export const storedText = (key, name, isOffline) => ({
  text: t(isOffline ? 'printers.stored.offline' : key, { name }), tone: isOffline ? 'warn' : 'good'
})
