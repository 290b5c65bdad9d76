// From models to a plate: what lies on the bed, of what it is made, and the slicing of it.

import { PrinterDrawing } from 'printer-drawing'
import { call, currentPrinter, keepPrinter, shell, t, takeFile, upload } from 'shell'
import { Bed } from './bed.js'
import { Choices, loadedSpools } from './choices.js'
import { html, orderedPart, render, useEffect, useMemo, useRef, useState } from './lib.js'
import { Models } from './models.js'
import { Result } from './result.js'
import { StartCode } from './start-code.js'

const USUAL = { material: 'PLA', quality: 'standard', supports: false, brim: 0, bed_type: 'textured_plate', color: '#ffffff' }
const POLL_MS = 500
/** After the last change, before the bed is drawn anew. */
const CALM_MS = 250
const PLACING_MS = 120_000

let lastKey = 0

/** Models with a place for one copy, which becomes a row of its own, with its own key, if there are others. */
function moved (items, key, ownKey, isTurned, at) {
  return items.flatMap(item => {
    if (item.key !== key) return [item]
    const [x, y, z] = item.rotate
    const one = { ...item, key: ownKey, copies: 1, at, rotate: isTurned ? [x, y, (z + 90) % 360] : item.rotate }
    return item.copies === 1 ? [one] : [{ ...item, copies: item.copies - 1 }, one]
  })
}

/** An instance where it was moved to, before the service has drawn it there. */
function movedInstance (instance, key, [x, y]) {
  const [minX, minY, maxX, maxY] = instance.box
  const [width, depth] = [maxX - minX, maxY - minY]
  return { ...instance, key, is_turned: false, box: [x - width / 2, y - depth / 2, x + width / 2, y + depth / 2] }
}

/** Models that were uploaded, and those on their way. */
function useModels () {
  const [items, setItems] = useState(/** @type {any[]} */ ([]))
  const [uploads, setUploads] = useState(/** @type {any[]} */ ([]))
  const send = useMemo(() => async file => {
    const key = ++lastKey
    const change = its => setUploads(all => all.map(one => one.key === key ? { ...one, ...its } : one))
    setUploads(all => [...all, { key, name: file.name, part: 0, problem: '' }])
    try {
      const model = await upload('slicing/models', file, { onProgress: part => change({ part }) })
      setUploads(all => all.filter(one => one.key !== key))
      const repair = model.parts.some(part => part.problems.some(({ weight }) => weight === 'repair'))
      const item = { key, model, copies: 1, percent: 100, rotate: [0, 0, 0], layFlat: false, repair }
      // As they were chosen, whichever arrives first.
      setItems(all => [...all, item].sort((one, other) => one.key - other.key))
    } catch (error) {
      change({ problem: /** @type {Error} */ (error).message })
    }
  }, [])
  return {
    items,
    uploads,
    send,
    change: (key, its) => setItems(all => all.map(one => one.key === key ? { ...one, ...its } : one)),
    move: (key, ownKey, isTurned, at) => setItems(all => moved(all, key, ownKey, isTurned, at)),
    remove: key => setItems(all => all.filter(one => one.key !== key)),
    dismiss: key => setUploads(all => all.filter(one => one.key !== key))
  }
}

/** Where the models lie, drawn by the service. @param {'plate' | 'top'} view */
function usePlacement (printer, items, color, view) {
  const [placed, setPlaced] = useState(/** @type {any} */ ({ problem: '', isOld: false }))
  useEffect(() => {
    if (items.length === 0) return setPlaced({ problem: '', isOld: false })
    const abort = new AbortController()
    setPlaced(before => ({ ...before, isOld: true }))
    const timer = setTimeout(() => {
      call('POST', 'slicing/arrange', { printer, parts: items.map(orderedPart), color, view }, { signal: abort.signal, waitMs: PLACING_MS }).then(
        ({ picture, bed_mm: bed, instances, excluded }) =>
          setPlaced({ picture, bed, excluded, instances: instances.map(one => ({ ...one, key: items[one.part].key })), problem: '', isOld: false }),
        // From above, the last picture shows what has to be moved.
        error => { if (!abort.signal.aborted) setPlaced(before => ({ ...view === 'top' && before, problem: error.message, isOld: false })) })
    }, CALM_MS)
    return () => { clearTimeout(timer); abort.abort() }
  }, [printer, items, color, view])
  const shift = (id, key, at) => setPlaced(before => ({
    ...before, instances: before.instances.map(one => one.id === id ? movedInstance(one, key, at) : one)
  }))
  return { placed, shift }
}

function useProfiles (printer) {
  const [profiles, setProfiles] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const [spools, setSpools] = useState(/** @type {any[]} */ ([]))
  const refresh = () => call('GET', 'slicing/profiles', { printer }).then(
    answer => { setProfiles(answer); setProblem('') }, error => setProblem(error.message))
  useEffect(() => {
    void refresh()
    call('GET', 'fleet').then(({ printers }) => setSpools(printers.find(({ name }) => name === printer)?.spools ?? []), () => setSpools([]))
  }, [printer])
  return { profiles, spools: profiles ? loadedSpools(spools, profiles.materials) : [], problem, refresh }
}

/** The plate that is being sliced, followed until it is over. */
function useJob () {
  const [job, setJob] = useState(/** @type {any} */ (null))
  const isOpen = job?.state === 'waiting' || job?.state === 'running'
  useEffect(() => {
    if (!isOpen) return
    const timer = setInterval(() => { call('GET', `slicing/jobs/${job.id}`).then(setJob, () => {}) }, POLL_MS)
    return () => clearInterval(timer)
  }, [job?.id, isOpen])
  return { job, setJob, cancel: () => call('DELETE', `slicing/jobs/${job.id}`).then(setJob, () => {}) }
}

const Invitation = ({ onChoose }) => html`<section class="card empty"><span class="picture"><${PrinterDrawing} model="X1C" spools=${[]} /></span>
  <h2>${t('slicing.none')}</h2><p>${t('slicing.invite')}</p>
  <button type="button" class="primary" onClick=${onChoose}>${t('slicing.choose')}</button></section>`

const NoSlicer = () => html`<section class="card empty"><span class="picture"><${PrinterDrawing} model="P1S" spools=${[]} /></span>
  <h2>${t('slicing.noSlicer')}</h2><p>${t('slicing.noSlicer.why')}</p></section>`

/** Drops and choices of files; the page takes several at once. */
function useFiles (send) {
  const input = useRef(/** @type {any} */ (null))
  useEffect(() => {
    void takeFile().then(file => { if (file) void send(file) })
    const over = event => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault() }
    const drop = event => {
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      for (const file of event.dataTransfer.files) void send(file)
    }
    window.addEventListener('dragover', over, true)
    window.addEventListener('drop', drop, true)
    return () => { window.removeEventListener('dragover', over, true); window.removeEventListener('drop', drop, true) }
  }, [])
  const field = html`<input ref=${input} type="file" hidden multiple accept=".stl,.obj,.3mf" tabindex="-1" aria-label=${t('slicing.choose')}
    onChange=${({ target }) => { for (const file of target.files) void send(file); target.value = '' }} />`
  return { field, choose: () => input.current.click() }
}

function Plate ({ printer, onPrinter }) {
  const { items, uploads, send, change, move, remove, dismiss } = useModels()
  const [isAbove, setAbove] = useState(false)
  const { profiles, spools, problem, refresh } = useProfiles(printer)
  const [choice, setChoice] = useState(/** @type {any} */ (USUAL))
  const [refused, setRefused] = useState('')
  const { job, setJob, cancel } = useJob()
  const { placed, shift } = usePlacement(printer, items, choice.color, isAbove && !job ? 'top' : 'plate')
  const { field, choose } = useFiles(send)
  const set = its => setChoice(before => ({ ...before, ...its }))
  const place = ({ id, key, is_turned: isTurned }, at) => {
    const ownKey = items.find(item => item.key === key)?.copies === 1 ? key : ++lastKey
    move(key, ownKey, isTurned, at)
    shift(id, ownKey, at)
  }
  const [first] = spools
  // What is in the printer can be printed at once.
  useEffect(() => {
    set({ profile: undefined, ...first && { material: first.type, color: first.color.toLowerCase() } })
  }, [printer, first?.type, first?.color])
  const [begins, setBegins] = useState(false)
  const slice = () => {
    setRefused('')
    setBegins(true)
    const { profile, bed_type: bed } = choice
    const how = profile === undefined ? choice : { profile, bed_type: bed } // it decides the rest
    call('POST', 'slicing/jobs', { printer, parts: items.map(orderedPart), ...how }, { waitMs: PLACING_MS })
      .then(setJob, error => setRefused(error.message)).then(() => setBegins(false))
  }
  if (!profiles) return html`<p class="boot" role="status">${problem || '…'}</p>`
  if (profiles.slicers.every(({ place }) => place === null)) return html`<${NoSlicer} />`
  if (items.length + uploads.length === 0) return html`${field}<${Invitation} onChoose=${choose} />`
  const mayMove = choice.profile !== undefined || profiles.start_code.is_accepted
  const isReady = items.length > 0 && uploads.every(one => one.problem !== '') && placed.problem === ''
  return html`${field}<div class="plate"><${Bed} placed=${placed} isAbove=${isAbove}
    onAbove=${setAbove} onMove=${job ? undefined : place} /><div class="side-by">
    ${job
      ? html`<${Result} job=${job} onCancel=${cancel} onAgain=${() => setJob(null)} />`
      : html`<${Models} items=${items} uploads=${uploads} onChange=${change} onRemove=${remove}
          onDismiss=${dismiss} onChoose=${choose} />
        <${Choices} printers=${shell.printers} printer=${printer} onPrinter=${onPrinter} profiles=${profiles}
          spools=${spools} choice=${choice} set=${set} onImported=${refresh} />
        ${!mayMove && html`<${StartCode} printer=${printer} onAccepted=${refresh} />`}
        ${refused !== '' && html`<p class="bad" role="alert">${refused}</p>`}
        <button type="button" class="primary slice" disabled=${!isReady || !mayMove || begins} onClick=${slice}>
          ${t('slicing.slice')}</button>`}
  </div></div>`
}

function App () {
  const [printer, setPrinter] = useState(currentPrinter() || shell.printers[0] || '')
  const choosePrinter = name => { keepPrinter(name); setPrinter(name) }
  return html`<main class="page"><header class="page-head"><h1>${t('slicing.heading')}</h1><p class="lead">${t('slicing.lead')}</p></header>
    ${printer === '' ? html`<p class="note">${t('slicing.noPrinter')}</p>` : html`<${Plate} printer=${printer} onPrinter=${choosePrinter} />`}
  </main>`
}

const root = /** @type {any} */ (document.getElementById('slicing'))
root.replaceChildren()
render(html`<${App} />`, root)
