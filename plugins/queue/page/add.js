// The dialog that uploads a sliced file and queues it.

import { Dialog } from 'components'
import { call, number, t, upload } from 'shell'
import { bedWords, html, Picture, useEffect, useState } from './lib.js'
import { Needs, needsIn } from './needs.js'

const minutes = seconds => t('queue.minutes', { minutes: number(Math.round(seconds / 60)) })

const aboutPlate = ({ model, bed_type: bed, seconds, grams, parts, filaments }) => [
  model,
  bedWords(bed),
  parts !== null && t('queue.parts.count', { count: parts, number: number(parts) }),
  seconds !== null && minutes(seconds),
  grams !== null && `${number(grams, { maximumFractionDigits: 1 })} g`,
  filaments.map(({ type }) => type).join(', ')
].filter(Boolean).join(' · ')

function Upload ({ file, onStored, onClose }) {
  const [part, setPart] = useState(0)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const abort = new AbortController()
    upload('queue/files', file, { onProgress: setPart, signal: abort.signal }).then(onStored, error => {
      if (!abort.signal.aborted) setProblem(t('queue.failed', { reason: error.message }))
    })
    return () => abort.abort()
  }, [])
  return html`<p>${file.name}</p>
    ${problem === ''
      ? html`<progress max="1" value=${part} aria-label=${t('queue.upload')} /><p class="faint" role="status">${t('queue.upload')}</p>`
      : html`<p class="bad" role="alert">${problem}</p>`}
    <div class="buttons end"><button type="button" onClick=${onClose}>${t(problem === '' ? 'queue.no' : 'shell.close')}</button></div>`
}

function Details ({ file, printers, onQueued, onClose }) {
  const plates = file.plates.filter(({ printable }) => printable)
  const [plate, setPlate] = useState(plates[0]?.plate ?? 1)
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const chosen = plates.find(one => one.plate === plate)
  const groups = [...new Set(printers.flatMap(one => one.groups))]
  const send = async event => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const wanted = data.getAll('printers')
    setRuns(true)
    try {
      const parts = Number(data.get('parts'))
      const perPlate = Number(data.get('per_plate'))
      if (perPlate > 0 && perPlate !== chosen?.parts) await call('PATCH', `queue/files/${file.id}`, { plate, parts: perPlate })
      await onQueued(await call('POST', 'queue', {
        file: file.id,
        plate,
        ...parts > 0 ? { parts } : { copies: Number(data.get('copies')) },
        priority: Number(data.get('priority')),
        printers: wanted.length > 0 ? wanted : undefined,
        ...needsIn(data)
      }))
    } catch (error) {
      setProblem(t('queue.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  const choice = name => html`<label class="choice" key=${name}><input type="checkbox" name="printers" value=${name} /> ${name}</label>`
  return html`<form class="add" onSubmit=${send}>
    <p>${file.name}</p>
    <fieldset><legend>${t('queue.plate')}</legend>${plates.map(one => html`<label class="choice plate-choice" key=${one.plate}>
      <input type="radio" name="plate" checked=${one.plate === plate} onChange=${() => setPlate(one.plate)} />
      <${Picture} file=${file.id} plate=${one.plate} />
      <span>${t('queue.plate.number', { plate: one.plate })} ${one.name}<small>${aboutPlate(one)}</small></span></label>`)}</fieldset>
    <div class="fields">
      <label>${t('queue.copies')} <input type="number" name="copies" min="1" max="1000" defaultValue="1" required /></label>
      <label>${t('queue.parts.wanted')} <input type="number" name="parts" min="1" max="1000000" /></label>
      <label key=${plate}>${t('queue.parts.per_plate')} <input type="number" name="per_plate" min="1" max="10000" defaultValue=${chosen?.parts ?? ''} /></label>
      <label>${t('queue.priority')} <input type="number" name="priority" min="-100" max="100" defaultValue="0" required /></label>
    </div>
    <fieldset><legend>${t('queue.printers')}</legend>
      <div class="choices">${[...groups, ...printers.map(one => one.printer)].map(choice)}</div></fieldset>
    <${Needs} />
    <p class="warn">${t('queue.add.sure')}</p>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end">
      <button type="button" onClick=${onClose}>${t('queue.no')}</button>
      <button class="primary" disabled=${runs || plates.length === 0}>${t('queue.add')}</button>
    </div>
  </form>`
}

/** Uploads at once, then asks how to print the file. */
export function Add ({ file, printers, onQueued, onClose }) {
  const [stored, setStored] = useState(/** @type {any} */ (null))
  return html`<${Dialog} title=${t('queue.add.title')} onClose=${onClose}>${stored
    ? html`<${Details} file=${stored} printers=${printers} onQueued=${onQueued} onClose=${onClose} />`
    : html`<${Upload} file=${file} onStored=${setStored} onClose=${onClose} />`}<//>`
}
