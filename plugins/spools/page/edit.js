// The dialogue in which a spool is added or changed. Adding begins with choosing the filament by typing.

import { Dialog } from 'components'
import { call, t } from 'shell'
import { Field, html, inUse, pathOf, spoolName, useEffect, useRef, useState } from './lib.js'

const MATERIALS = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PA', 'PA-CF', 'PC', 'PVA', 'PET-CF']
const NET_G = 1000
const TYPING_MS = 200
const MOST_OFFERED = 8
const MOST_AT_ONCE = 50

const lineText = ({ brand, line, material, color_name: color }) => [brand, line || material, color].filter(Boolean).join(' ')

/** Own types and the catalogue's lines that match what is typed. */
function useOffers (text, types) {
  const [lines, setLines] = useState(/** @type {any[]} */ ([]))
  useEffect(() => {
    if (text.trim() === '') return setLines([])
    let isWanted = true
    const timer = setTimeout(() => {
      call('GET', 'spools/catalogue', { text, limit: MOST_OFFERED }).then(({ lines: found }) => { if (isWanted) setLines(found) }, () => {})
    }, TYPING_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text])
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isMeant = type => !type.archived && words.every(word => lineText(type).toLowerCase().includes(word))
  const own = words.length === 0 ? [] : types.filter(isMeant)
  return [...own.slice(0, MOST_OFFERED).map(type => ({ ...type, isOwn: true })), ...lines]
}

function Find ({ types, onPick }) {
  const [text, setText] = useState('')
  const field = useRef(/** @type {any} */ (null))
  const offers = useOffers(text, types)
  const pick = offer => {
    onPick(offer)
    setText('')
    field.current.focus() // what was pressed is gone
  }
  return html`<div class="find"><${Field} label=${t('spools.find')} hint=${t('spools.find.hint')}>
      <input type="search" ref=${field} value=${text} autofocus onInput=${({ target }) => setText(target.value)} /><//>
    ${offers.length > 0 && html`<ul class="offers" aria-label=${t('spools.find.offers')}>${offers.map(offer => html`<li key=${`${offer.isOwn} ${offer.id}`}>
      <button type="button" onClick=${() => pick(offer)}><b>${lineText(offer)}</b>
        <small>${[offer.material, offer.net_g && `${offer.net_g} g`, offer.isOwn && t('spools.find.own')].filter(Boolean).join(' · ')}</small></button></li>`)}</ul>`}
  </div>`
}

/** Members of a type that stay as they were chosen. */
const KEPT = ['diameter_mm', 'density', 'empty_g', 'nozzle_min_c', 'nozzle_max_c', 'bed_c', 'dry_c', 'dry_hours', 'catalogue']

/** The type of what is added: an own one that is the same, or a new one. @returns its id; empty without a brand */
async function typeFor (values, picked, types) {
  if (values.brand === '') return ''
  const colors = values.color === '' ? [] : [values.color.toUpperCase()]
  const isSame = type => !type.archived && ['brand', 'line', 'material'].every(name => type[name] === values[name]) &&
    type.colors.join().toUpperCase() === colors.join()
  const known = types.find(isSame)
  if (known) return known.id
  const kept = KEPT.filter(name => picked?.[name] !== undefined && picked[name] !== null)
  const facts = Object.fromEntries(kept.map(name => [name, picked[name]]))
  const { brand, line, material, net_g: net, price, currency } = values
  const { id } = await call('POST', 'spools/types', {
    brand,
    line,
    material,
    colors,
    ...facts,
    ...(net !== undefined && { net_g: net }),
    ...(price !== null && { price, currency })
  })
  return id
}

/**
 * Amounts only where somebody typed another one: what is left may have changed since the dialogue was opened.
 * @param {HTMLFormElement} form @param {boolean} isNew
 */
function amountsOf (form, isNew) {
  const fields = ['net', 'left'].map(name => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)))
  const [net, left] = fields.map(({ value }) => value.trim() === '' ? undefined : Number(value))
  const [isOtherNet, isOtherLeft] = fields.map(({ value, defaultValue }) => isNew || value !== defaultValue)
  return {
    ...(isOtherNet && net !== undefined && { net_g: net }),
    ...(isOtherLeft && net !== undefined && left !== undefined && { used_g: Math.max(0, net - left) })
  }
}

const DATES = ['bought', 'opened', 'dried']
/** @param {number} ms */
const dateOf = ms => new Date(ms).toLocaleDateString('sv-SE')

/** Dates that were changed, at noon: no change of clocks moves them to another day. @param {HTMLFormElement} form */
function datesOf (form) {
  const fields = DATES.map(name => /** @type {HTMLInputElement} */ (form.elements.namedItem(name)))
  return Object.fromEntries(fields.filter(({ value, defaultValue }) => value !== defaultValue)
    .map(({ name, value }) => [`${name}_at`, value === '' ? null : Math.min(Date.parse(`${value}T12:00`), Date.now())]))
}

/** @param {HTMLFormElement} form @param {boolean} isNew */
function valuesOf (form, isNew) {
  const data = new FormData(form)
  const text = name => String(data.get(name) ?? '').trim()
  const number = name => text(name) === '' ? undefined : Number(text(name))
  return {
    name: text('name'),
    material: text('material'),
    color: data.has('known') ? text('color') : '',
    ...amountsOf(form, isNew),
    brand: text('brand'),
    line: text('line'),
    count: number('count') ?? 1,
    place: text('place'),
    lot: text('lot'),
    notes: text('notes'),
    ...datesOf(form),
    price: number('price') ?? null,
    currency: text('currency').toUpperCase()
  }
}

const NumberField = ({ name, label, value, hint = '', max = 100_000 }) => html`<${Field} label=${label} hint=${hint}>
  <input type="number" name=${name} min="0" max=${max} step="any" defaultValue=${value ?? ''} /><//>`
const TextField = ({ name, label, value, max, hint = '' }) => html`<${Field} label=${label} hint=${hint}><input name=${name} maxlength=${max} defaultValue=${value ?? ''} /><//>`

const More = ({ spool, picked, places, isNew }) => html`<details><summary>${t('spools.more')}</summary><div class="fields">
  ${isNew && html`<${TextField} name="brand" label=${t('spools.brand')} value=${picked?.brand} max="60" />
    <${TextField} name="line" label=${t('spools.line')} value=${picked?.line} max="80" />`}
  ${places.length > 0 && html`<${Field} label=${t('spools.filter.place')}><select name="place"><option value="">${t('spools.place.unknown')}</option>
    ${places.map(({ id, name }) => html`<option key=${id} value=${id} selected=${id === spool?.place}>${name}</option>`)}</select><//>`}
  <${NumberField} name="price" label=${t('spools.price')} value=${spool?.price ?? picked?.price} max="1000000" />
  <${TextField} name="currency" label=${t('spools.currency')} value=${spool?.currency || (picked?.currency ?? '')} max="3" hint=${t('spools.currency.hint')} />
  <${TextField} name="lot" label=${t('spools.lot')} value=${spool?.lot} max="64" />
  <${TextField} name="notes" label=${t('spools.notes')} value=${spool?.notes} max="1000" />
  ${DATES.map(name => html`<${Field} key=${name} label=${t(`spools.fact.${name}`)}><input type="date" name=${name} max=${dateOf(Date.now())}
    defaultValue=${spool?.[`${name}_at`] ? dateOf(spool[`${name}_at`]) : ''} /><//>`)}
  ${isNew && html`<${Field} label=${t('spools.number')}><input type="number" name="count" min="1" max=${MOST_AT_ONCE} defaultValue="1" /><//>`}
</div></details>`

const Basics = ({ spool, picked }) => html`
  <${Field} label=${t('spools.name')} hint=${t(picked ? 'spools.name.auto' : 'spools.name.hint')}>
    <input name="name" required=${!picked} maxlength="100" defaultValue=${spool === undefined ? '' : spoolName(spool)} /><//>
  <div class="fields">
    <${Field} label=${t('spools.material')}><input name="material" required maxlength="40" list="materials" defaultValue=${spool?.material ?? picked?.material ?? ''} /><//>
    <datalist id="materials">${MATERIALS.map(one => html`<option key=${one} value=${one} />`)}</datalist>
    <${Field} label=${t('spools.net')}><input type="number" name="net" min="1" max="100000" step="any" defaultValue=${spool ? spool.net_g ?? '' : picked?.net_g ?? NET_G} /><//>
    <${NumberField} name="left" label=${t('spools.now')} hint=${t('spools.now.hint')} value=${spool ? spool.left_g : picked?.net_g ?? NET_G} />
  </div>`

async function save (spool, values, { picked, types }) {
  const { brand, line, count, ...rest } = values
  if (spool) return await call('PATCH', pathOf(spool.id), rest)
  const type = await typeFor(values, picked, types)
  const { name, ...unnamed } = rest
  for (let n = 0; n < Math.min(count, MOST_AT_ONCE); n++) {
    await call('POST', 'spools', { ...unnamed, ...(name !== '' && { name }), type, ...(values.price === null && { price: undefined }) })
  }
}

/**
 * Without a spool it adds one.
 * @param {{ spool?: any, inventory: any, onClose: () => void, onDone: () => Promise<void> }} props
 */
export function Edit ({ spool, inventory, onClose, onDone }) {
  const [problem, setProblem] = useState('')
  const [picked, setPicked] = useState(/** @type {any} */ (undefined))
  const [isKnown, setKnown] = useState(Boolean(spool?.color))
  const [runs, setRuns] = useState(false)
  const places = inUse(inventory.places)
  const send = async work => {
    if (runs) return
    setRuns(true)
    try {
      await work()
      onClose()
      await onDone()
    } catch (error) {
      setProblem(t('spools.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  const pick = offer => {
    setPicked(offer)
    setKnown(Boolean(offer.colors?.[0]))
  }
  const submit = event => {
    event.preventDefault()
    const values = valuesOf(event.currentTarget, !spool)
    void send(() => save(spool, values, { picked, types: inventory.types }))
  }
  const archive = () => send(() => call('PATCH', pathOf(spool.id), { archived: true }))
  return html`<${Dialog} wide title=${t(spool ? 'spools.edit.title' : 'spools.add')} onClose=${onClose}>
    ${!spool && html`<${Find} types=${inventory.types} onPick=${pick} />`}
    <form class="edit" key=${picked?.id ?? ''} onSubmit=${submit}>
      ${picked && html`<p class="note">${lineText(picked)}</p>`}
      <${Basics} spool=${spool} picked=${picked} />
      <${Field} label=${t('spools.color')}><span class=${isKnown ? 'colour' : 'colour unknown'}>
        <input type="color" name="color" onInput=${() => setKnown(true)} defaultValue=${spool?.color || picked?.colors?.[0] || '#2f6fe0'} /></span><//>
      <label class="check"><input type="checkbox" name="known" checked=${isKnown} onChange=${({ target }) => setKnown(target.checked)} />
        ${t('spools.color.known')}</label>
      <${More} spool=${spool} picked=${picked} places=${places} isNew=${!spool} />
      <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
      <div class="buttons end">
        ${spool && !spool.archived && html`<button type="button" class="danger" title=${t('spools.gone.sure')} onClick=${archive}>
          ${t('spools.gone')}</button><span class="space" />`}
        <button type="button" onClick=${onClose}>${t('spools.cancel')}</button>
        <button class="primary" disabled=${runs}>${t('spools.save')}</button>
      </div>
    </form>
  <//>`
}
