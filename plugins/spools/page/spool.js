// One spool: what is left, what is known of it, and why its remainder is what it is.

import { call, dateTime, filamentName, follow, hasPage, linkTo, number, placeName, t } from 'shell'
import { Edit } from './edit.js'
import {
  dayText, Field, FormDialog, grams, html, leftText, money, pathOf, percent, shareOf, SpoolDrawing, spoolName, STAY,
  useEffect, useRead, useState
} from './lib.js'
import { useScale } from './use-scale.js'

/** What a weighing showed, in a sentence. */
export function weighingText (weighing) {
  const { thought_g: thought, left_g: left, error_g: error, error_percent: share, since, unsure } = weighing
  const values = {
    thought: grams(thought), left: grams(left), percent: percent(Math.abs(share ?? 0)), since: dayText(since)
  }
  const words = Math.abs(error) < 0.5 ? t('spools.weighed.right', values) : t(error > 0 ? 'spools.weighed.less' : 'spools.weighed.more', values)
  return unsure ? `${words} ${t('spools.weighed.unsure')}` : words
}

function Weigh ({ page, onClose, onDone }) {
  const { spool, type } = page
  const [result, setResult] = useState(/** @type {any} */ (undefined))
  const empty = spool.empty_g ?? type?.empty_g
  const send = async form => {
    const data = new FormData(form)
    setResult(await call('POST', pathOf(spool.id, '/weigh'), { gross_g: Number(data.get('gross')), empty_g: Number(data.get('empty')) }))
    scale.stop()
    void onDone()
    return STAY
  }
  const scale = useScale(spool.id, async () => {
    setResult({ left_g: (await call('GET', pathOf(spool.id))).spool.left_g, weighing: null })
    void onDone()
  })
  if (result) {
    const { weighing, left_g: left } = result
    return html`<${FormDialog} key="result" title=${t('spools.weigh')} yes=${t('spools.ok')} onSend=${async () => {}} onClose=${onClose}>
      <p>${weighing ? weighingText(weighing) : leftText(left)}</p>
      ${weighing && weighing.counted_error_percent !== null && html`<p class="faint">${t('spools.weighed.counted', {
        counted: grams(weighing.counted_g), percent: percent(weighing.counted_error_percent)
      })}</p>`}<//>`
  }
  return html`<${FormDialog} key="form" title=${t('spools.weigh')} yes=${t('spools.save')} onClose=${onClose} onSend=${send}>
    ${scale.isThere && html`<div class="buttons"><button type="button" disabled=${scale.isWaiting} onClick=${scale.begin}>${t('spools.scale')}</button></div>
      <p role="status" hidden=${!scale.isWaiting}>${t('spools.scale.put')}</p><p class="bad" role="alert" hidden=${scale.problem === ''}>${scale.problem}</p>`}
    <div class="fields">
      <${Field} label=${t('spools.gross')} hint=${t('spools.gross.hint')}><input type="number" name="gross" min="0" max="100000" step="any" required autofocus /><//>
      <${Field} label=${t('spools.empty')} hint=${t('spools.empty.hint')}><input type="number" name="empty" min="0" max="100000" step="any" required defaultValue=${empty ?? ''} /><//>
    </div><//>`
}

const Throw = ({ spool, onClose, onDone }) => html`<${FormDialog} title=${t('spools.throw')} yes=${t('spools.throw')} danger onClose=${onClose}
  onSend=${async form => {
    const [amount, note] = ['grams', 'note'].map(name => String(new FormData(form).get(name)).trim())
    await call('POST', pathOf(spool.id, '/throw'), { ...(amount !== '' && { grams: Number(amount) }), note })
    await onDone()
  }}>
  <${Field} label=${t('spools.throw.grams')} hint=${t('spools.throw.hint')}><input type="number" name="grams" min="0" max="100000" step="any" /><//>
  <${Field} label=${t('spools.throw.why')}><input name="note" maxlength="200" /><//>
<//>`

function Entry ({ entry }) {
  const { kind, at, grams: amount, left_g: left, by, note, print, weighing } = entry
  const words = t(`spools.why.${kind}`, { by: by || '–' })
  const sign = amount > 0 ? '+' : amount < 0 ? '−' : '±'
  return html`<li class="row"><span class="row-main">
      <b>${print === '' ? words : html`<a href=${`${linkTo('history')}#${print}`}>${words}</a>`}</b>
      <small>${[dateTime(at), kind === 'print' ? '' : by, note].filter(Boolean).join(' · ')}</small>
      ${weighing && html`<small>${weighingText(weighing)}</small>`}</span>
    <span class="amount"><b>${t('spools.grams', { grams: `${sign}${number(Math.abs(amount), { maximumFractionDigits: 1 })}` })}</b>
      <small class="faint">${left === null ? '' : leftText(left)}</small></span></li>`
}

function factsOf ({ spool, type, place, slot }) {
  const price = spool.price ?? type?.price
  const currency = spool.price === null ? type?.currency ?? '' : spool.currency
  const range = type && type.nozzle_min_c !== null ? [...new Set([type.nozzle_min_c, type.nozzle_max_c])].filter(value => value !== null).join('–') : ''
  return [
    ['place', slot ? t('spools.where', { slot: placeName(slot.place), printer: slot.printer }) : place?.name],
    ['brand', type && [type.brand, type.line, type.color_name].filter(Boolean).join(' ')],
    ['filament', filamentName(spool.material, [spool.color])],
    ['price', price !== null && price !== undefined && money(price, currency)],
    ['bought', spool.bought_at !== null && dayText(spool.bought_at)],
    ['opened', spool.opened_at !== null && dayText(spool.opened_at)],
    ['dried', spool.dried_at !== null && dayText(spool.dried_at)],
    ['nozzle', range !== '' && `${range} °C`],
    ['bed', type && type.bed_c !== null && `${type.bed_c} °C`],
    ['drying', type && type.dry_c !== null && t('spools.drying.is', { c: type.dry_c, hours: type.dry_hours ?? '–' })],
    ['empty', (spool.empty_g ?? type?.empty_g ?? null) !== null && `${grams(spool.empty_g ?? type.empty_g)} g`],
    ['lot', spool.lot], ['tag', spool.tag], ['id', spool.id], ['notes', spool.notes]
  ].filter(([, value]) => value)
}

const Facts = ({ page }) => html`<dl class="facts-list">${factsOf(page).map(([name, value]) => html`<div key=${name}><dt>${t(`spools.fact.${name}`)}</dt><dd>${value}</dd></div>`)}</dl>`

export function SpoolPage ({ id }) {
  const { body: page, problem, refresh } = useRead(pathOf(id))
  const { body: inventory } = useRead('spools/inventory', { limit: 0 })
  const [dialog, setDialog] = useState('')
  const [refused, setRefused] = useState('')
  useEffect(() => follow({ topics: ['spools'], onMessage: ({ topic }) => { if (topic === 'spools') void refresh() }, onMissed: refresh }), [])
  const act = async work => {
    setRefused('')
    await work().catch(error => setRefused(t('spools.failed', { reason: error.message })))
    await refresh()
  }
  const back = html`<a class="button" href=${linkTo('spools')}>${t('spools.back')}</a>`
  if (!page) return html`<main class="page narrow"><header class="page-head"><h1>${t('spools.title')}</h1><span class="space" />${back}</header><p class="boot" role="status">${problem || '…'}</p></main>`
  const { spool } = page
  const isOurs = page.kept_by === 'prnd'
  const close = () => setDialog('')
  const change = changes => act(() => call('PATCH', pathOf(id), changes))
  const remove = () => act(async () => {
    await call('DELETE', pathOf(id))
    location.href = linkTo('spools')
  })
  return html`<main class="page narrow">
    <header class="page-head"><h1>${spoolName(spool)}</h1>${spool.archived && html`<b class="badge">${t('spools.state.archived')}</b>`}<span class="space" />${back}</header>
    <p class="bad" role="alert" hidden=${refused === '' && problem === ''}>${refused || problem}</p>
    <section class="card spool-head"><${SpoolDrawing} color=${spool.color} share=${shareOf(spool)} />
      <div><p class="large">${leftText(spool.left_g)}</p>
        ${spool.net_g !== null && html`<p class="faint">${t('spools.left.of', { grams: grams(spool.net_g) })}</p>`}</div>
      ${isOurs && html`<div class="buttons">
        <button type="button" class="primary" onClick=${() => setDialog('weigh')}>${t('spools.weigh')}</button>
        <button type="button" disabled=${!inventory} onClick=${() => setDialog('edit')}>${t('spools.change.short')}</button>
        <button type="button" onClick=${() => change({ dried_at: Date.now() })}>${t('spools.many.dried')}</button>
        ${spool.opened_at === null && html`<button type="button" onClick=${() => change({ opened_at: Date.now() })}>${t('spools.many.opened')}</button>`}
        ${spool.archived
          ? html`<button type="button" onClick=${() => change({ archived: false })}>${t('spools.many.restore')}</button>`
          : html`<button type="button" onClick=${() => setDialog('throw')}>${t('spools.throw')}</button>`}
        ${hasPage('spool-scan') && html`<a class="button" href=${linkTo('spool-scan', { spool: id })}>${t('spools.put')}</a>`}
        ${hasPage('spool-labels') && html`<a class="button" href=${linkTo('spool-labels', { ids: id })}>${t('spools.label')}</a>`}
        ${hasPage('spool-tags') && html`<a class="button" href=${linkTo('spool-tags', { spool: id })}>${t('spools.tag.write')}</a>`}
        ${page.removable && html`<button type="button" class="danger" onClick=${remove}>${t('spools.remove')}</button>`}
      </div>`}
    </section>
    <section class="card"><${Facts} page=${page} /></section>
    <section class="card" aria-labelledby="why-title"><header><h2 id="why-title">${t('spools.history')}</h2></header>
      <ul class="rows">${page.history.map(entry => html`<${Entry} key=${entry.id} entry=${entry} />`)}</ul></section>
    ${dialog === 'weigh' && html`<${Weigh} page=${page} onClose=${close} onDone=${refresh} />`}
    ${dialog === 'throw' && html`<${Throw} spool=${spool} onClose=${close} onDone=${refresh} />`}
    ${dialog === 'edit' && inventory && html`<${Edit} spool=${spool} inventory=${inventory} onClose=${close} onDone=${refresh} />`}
  </main>`
}
