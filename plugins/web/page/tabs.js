import { t } from 'shell'
import { html, useRef, useState } from './lib.js'

const STEPS = { ArrowRight: 1, ArrowLeft: -1 }
const wanted = () => location.hash.slice(1)

/**
 * Shows one of several parts of the page; the address contains which.
 * @param {{ tabs: readonly { id: string, content: any }[] }} props
 */
export function Tabs ({ tabs }) {
  const [chosen, setChosen] = useState(wanted())
  const list = useRef(/** @type {any} */ (null))
  const at = Math.max(0, tabs.findIndex(({ id }) => id === chosen))
  const open = id => {
    setChosen(id)
    const address = new URL(location.href)
    address.hash = id
    history.replaceState(null, '', address)
  }
  const onKeyDown = event => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (at + step + tabs.length) % tabs.length
    open(tabs[next].id)
    list.current.children[next].focus()
  }
  return html`<section class="tabs" aria-label=${t('printer.tabs')}>
    <div role="tablist" aria-label=${t('printer.tabs')} ref=${list} onKeyDown=${onKeyDown}>
      ${tabs.map(({ id }, place) => html`<button key=${id} type="button" role="tab" id=${`tab-${id}`}
        aria-selected=${String(place === at)} aria-controls="tab-panel" tabindex=${place === at ? 0 : -1}
        onClick=${() => open(id)}>${t(`printer.${id}`)}</button>`)}</div>
    <div role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${tabs[at].id}`} key=${tabs[at].id}>${tabs[at].content}</div>
  </section>`
}
