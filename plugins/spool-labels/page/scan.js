// The page behind the code of a label: the spool, and the slots it can be put into.

import { html } from 'components'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, filamentName, follow, hasPage, linkTo, placeName, t } from 'shell'
import { Camera } from './camera.js'
import { spoolIn } from './qr-reader.js'
import { grams, spoolFilament, spoolName } from './spool-name.js'

const Dot = ({ color }) => html`<svg class="dot" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="9" fill=${color || 'none'} /></svg>`

const Found = ({ spool }) => html`<section class="card found"><${Dot} color=${spool.color} />
  <div><h2>${spoolName(spool)}</h2><p class="faint">${spoolFilament(spool)}${spool.left_g === null ? '' : ` · ${t('spool-scan.left', { grams: grams(spool.left_g) })}`}</p></div></section>`

const Slot = ({ slot, spool, onPut }) => {
  const name = placeName(slot.place)
  const isHere = slot.spool === spool.id
  return html`<button type="button" class="slot"
    aria-pressed=${isHere ? 'true' : 'false'} onClick=${() => onPut(slot)}><${Dot} color=${slot.color} />
    <span><b>${name}</b><small>${isHere ? t('spool-scan.here') : slot.material === '' ? '' : filamentName(slot.material, slot.colors)}</small></span></button>`
}

function Slots ({ slots, spool, onPut }) {
  const printers = [...new Set(slots.map(({ printer }) => printer))]
  return html`<section class="card" aria-labelledby="where-title"><header><h2 id="where-title">${t('spool-scan.where')}</h2></header>
    ${slots.length === 0 && html`<p class="faint">${t('spool-scan.slots.none')}</p>`}
    ${printers.map(printer => html`<div key=${printer} role="group" aria-label=${printer}><h3>${printer}</h3><div class="slots">
      ${slots.filter(slot => slot.printer === printer).map(slot => html`<${Slot} key=${slot.place} slot=${slot} spool=${spool} onPut=${onPut} />`)}</div></div>`)}
  </section>`
}

const Manual = ({ spools, onChoose }) => html`<section class="card"><label class="field"><span>${t('spool-scan.choose')}</span>
  <select value="" onChange=${({ target }) => onChoose(target.value)}><option value="">${t('spool-scan.choose.none')}</option>
    ${spools.map(spool => html`<option key=${spool.id} value=${spool.id}>${spoolName(spool)}</option>`)}</select></label></section>`

/** The spool in the address stays there, so that the page can be reloaded. @param {string} id empty for none */
function keepInAddress (id) {
  const url = new URL(location.href)
  if (id === '') url.searchParams.delete('spool')
  else url.searchParams.set('spool', id)
  history.replaceState(null, '', url)
}

function App () {
  const [list, setList] = useState(/** @type {any} */ (undefined))
  const [id, setId] = useState(() => new URL(location.href).searchParams.get('spool') ?? '')
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState('')
  const fail = error => setProblem(t('spool-scan.failed', { reason: error.message }))
  const refresh = () => call('GET', 'spools').then(setList, fail)
  useEffect(() => {
    void refresh()
    return follow({ topics: ['spools'], onMessage: ({ topic }) => { if (topic === 'spools') void refresh() }, onMissed: refresh })
  }, [])
  const choose = next => {
    setProblem('')
    setDone('')
    setId(next)
    keepInAddress(next)
  }
  const take = text => {
    const found = spoolIn(text)
    if (found !== undefined) return choose(found)
    choose('')
    setProblem(t('spool-scan.foreign', { text: text.slice(0, 100) }))
  }
  const spool = list?.spools.find(one => one.id === id)
  const put = async ({ printer, place }) => {
    setProblem('')
    try {
      await call('POST', 'spools/assign', { printer, place, spool: id })
      setDone(t('spool-scan.done', { spool: spoolName(spool), slot: placeName(place), printer }))
      await refresh()
    } catch (error) {
      fail(error)
    }
  }
  const isUnknown = list && id !== '' && spool === undefined
  return html`<main class="page narrow"><header class="page-head"><h1>${t('spool-scan.title')}</h1><p class="lead">${t('spool-scan.lead')}</p></header>
    <p class="bad" role="alert" hidden=${problem === '' && !isUnknown}>${problem || (isUnknown && t('spool-scan.unknown', { id }))}</p>
    <p class="note good" role="status" hidden=${done === ''}>${done}</p>
    ${spool
      ? html`<${Found} spool=${spool} /><${Slots} slots=${list.slots} spool=${spool} onPut=${put} />
        <div class="buttons"><button type="button" class=${done === '' ? '' : 'primary'} onClick=${() => choose('')}>${t('spool-scan.again')}</button>
          <a class="button" href=${linkTo('spool-labels', { ids: id })}>${t('spool-scan.label')}</a>
          ${hasPage('spool-tags') && html`<a class="button" href=${linkTo('spool-tags', { spool: id })}>${t('spool-scan.tag')}</a>`}</div>`
      : html`<${Camera} onText=${take} />${list?.spools.length > 0 && html`<${Manual} spools=${list.spools} onChoose=${choose} />`}`}
  </main>`
}

const place = /** @type {any} */ (document.getElementById('spool-scan'))
place.replaceChildren()
render(html`<${App} />`, place)
