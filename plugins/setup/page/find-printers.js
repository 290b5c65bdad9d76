// Printers that announce themselves on the network, and the ways to add others.

import { useEffect, useState } from 'preact/hooks'
import { PrinterDrawing } from 'printer-drawing'
import { call, modelName, t } from 'shell'
import { html } from 'components'
import { failureOf } from './problems.js'

const ROUNDS = 4

/** Searches in short rounds, so that printers appear as they are found. @param {(found: any[]) => void} onFound */
async function search (onFound, signal) {
  const known = new Map()
  for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
    const { discovered } = await call('POST', 'setup/printers/discover', { seconds: round === 0 ? 2 : 4 }, { signal })
    for (const printer of discovered) known.set(printer.serial, printer)
    onFound([...known.values()])
  }
}

/** @returns {{ found: any[], runs: boolean, problem: string, again: () => void }} */
function useSearch () {
  const [found, setFound] = useState(/** @type {any[]} */ ([]))
  const [round, setRound] = useState(0)
  const [runs, setRuns] = useState(true)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const gone = new AbortController()
    setRuns(true)
    setProblem('')
    search(setFound, gone.signal)
      .catch(error => { if (!gone.signal.aborted) setProblem(error.body?.error === 'discovery_failed' ? t('printers.find.taken') : failureOf(error).text) })
      .finally(() => { if (!gone.signal.aborted) setRuns(false) })
    return () => gone.abort()
  }, [round])
  return { found, runs, problem, again: () => setRound(round + 1) }
}

/** @param {{ printers: any[], leads: boolean, onAdd: (found?: any) => void, children?: any }} options
 *   leads: adding a printer is the next step on this page; children: more ways to add one */
export function FindPrinters ({ printers, leads, onAdd, children }) {
  const { found, runs, problem, again } = useSearch()
  const known = new Set(printers.filter(({ virtual }) => !virtual).map(({ serial }) => serial))
  const virtual = new Set(printers.filter(({ virtual }) => virtual).map(({ serial }) => serial))
  const fresh = found.filter(({ serial }) => !known.has(serial) && !virtual.has(serial))
  const row = ({ name, ip, serial, model_decoded: model, other_ips: others = [] }, at) => html`<li key=${serial} class="row">
    <span class="row-picture"><${PrinterDrawing} model=${model} /></span>
    <span class="row-main"><b>${name || model}</b><small>${[modelName(model), [ip, ...others].join(', '), serial].join(' · ')}</small>
      ${others.length > 0 && html`<small class="warn">${t('printers.find.twice')}</small>`}</span>
    <span class="row-end"><button type="button" class=${leads && at === 0 ? 'primary' : ''} aria-label=${t('printers.add.of', { name: name || serial })}
      onClick=${() => onAdd({ ...found.find(each => each.serial === serial), ...others.length > 0 && { ip: '' } })}>${t('printers.find.add')}</button></span></li>`
  return html`<section class="card" aria-labelledby="find-title">
    <header><h2 id="find-title">${t('printers.find')}</h2>
      <div class="buttons">${runs
        ? html`<span class="faint searching" role="status">${t('printers.find.runs')}</span>`
        : html`<button type="button" class="quiet small" onClick=${again}>${t('printers.find.again')}</button>`}</div></header>
    ${problem !== '' && html`<p class="note warn" role="alert">${problem}</p>`}
    ${fresh.length > 0 && html`<ul class="rows" aria-labelledby="find-title">${fresh.map(row)}</ul>`}
    ${fresh.length === 0 && !runs && problem === '' && html`<p class="faint">${t(known.size > 0 ? 'printers.find.nomore' : 'printers.find.none')}</p>`}
    <div class="buttons"><button type="button" class=${leads && fresh.length === 0 ? 'primary' : ''} onClick=${() => onAdd()}>${t('printers.add.address')}</button>${children}</div>
  </section>`
}
