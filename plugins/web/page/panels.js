import { addressOf, request } from './api.js'
import { Card } from './ui.js'
import { html, useEffect, useState } from './lib.js'

const EVERY_MS = 10_000

/** A picture cannot run scripts; HTML goes into a sandboxed frame without scripts. */
const Content = ({ panel }) => panel.picture
  ? html`<img class="drawn" src=${`data:image/svg+xml,${encodeURIComponent(panel.markup)}`} alt=${panel.title} />`
  : html`<iframe class="drawn" sandbox="" title=${panel.title} srcdoc=${documentOf(panel.markup)}></iframe>`

const style = new URL('panel.css', import.meta.url).href
const documentOf = markup => `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="${style}">${markup}`

/** Panels that plugins contribute to the page. */
export function Panels ({ printer }) {
  const [panels, setPanels] = useState(/** @type {any[]} */ ([]))
  useEffect(() => {
    let gone = false
    const load = async () => {
      if (document.hidden) return
      const response = await request(addressOf('plugins/web/panels', { printer: printer || undefined })).catch(() => undefined)
      const next = response?.ok ? await response.json() : []
      if (!gone) setPanels(next)
    }
    void load()
    const timer = setInterval(load, EVERY_MS)
    return () => { gone = true; clearInterval(timer) }
  }, [printer])
  return panels.map(panel => html`<${Card} key=${panel.id} id=${`panel-${panel.id}`} title=${panel.title}><${Content} panel=${panel} /><//>`)
}
