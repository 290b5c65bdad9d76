// Where a file is printed that was dropped on another page, shared by another application, or chosen here.

import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { html, Icon } from './components.js'
import { PrinterDrawing } from './printer-drawing.js'
import { chooseFile, handOver, waitingFile } from './handed-file.js'
import { fileProblem } from './sliced-file.js'
import { call, hasPage, linkTo, modelName, number, shell, t, timeText } from './shell.js'

const MEGABYTE = 1e6
const AWAY = new Set(['offline', 'stale', 'unwatched'])
const UNKNOWN = { model: '', condition: 'unknown', is_free: false, job: null, spools: [] }

/** Printers that answer; those that could start now come first. @param {any[]} printers */
const inOrder = printers => printers.filter(({ condition }) => !AWAY.has(condition))
  .sort((a, b) => Number(b.is_free) - Number(a.is_free) || a.name.localeCompare(b.name, 'en', { numeric: true }))

/** A model becomes a plate on the page that slices. @param {string} problem */
const canSlice = problem => hasPage('slicing') && ['model', 'unsliced'].includes(problem)

const sizeOf = ({ size }) => size < MEGABYTE
  ? `${number(Math.ceil(size / 1_000))} kB`
  : `${number(size / MEGABYTE, { maximumFractionDigits: 1 })} MB`

const stateOf = ({ is_free: isFree, condition, job }) => {
  if (isFree) return t('share.free')
  return [t(`condition.${condition}`), job?.ends_at && timeText(job.ends_at)].filter(Boolean).join(' · ')
}

/** Opens a page with the file that is shown here, also if another one was shared meanwhile. */
function Hand ({ file, page, query = {}, children, ...rest }) {
  const href = linkTo(page, { ...query, file: 'handed' })
  const onClick = event => {
    event.preventDefault()
    chooseFile(file).catch(() => {}).then(() => location.assign(href))
  }
  return html`<a ...${rest} href=${href} onClick=${onClick}>${children}</a>`
}

const Place = ({ printer, file }) => html`<li class="row">
  <span class="picture"><${PrinterDrawing} model=${printer.model} spools=${printer.spools} /></span>
  <div class="row-main"><b>${printer.name}</b><small>${[modelName(printer.model), stateOf(printer)].filter(Boolean).join(' · ')}</small></div>
  <div class="row-end"><${Hand} class=${`button ${printer.is_free ? '' : 'quiet'}`} aria-label=${t('share.on', { printer: printer.name })}
    file=${file} page="printer" query=${{ printer: printer.name }}><${Icon} name="play" /><//></div></li>`

const Places = ({ printers, file }) => html`<section class="card"><header><h2>${t('share.where')}</h2></header><ul class="rows places">
  ${hasPage('queue') && html`<li class="row"><span class="picture"><${Icon} name="queue" /></span>
    <div class="row-main"><b>${t('share.queue')}</b><small>${t('share.queue.hint')}</small></div>
    <div class="row-end"><${Hand} class="button primary" aria-label=${t('share.queue')}
      file=${file} page="queue"><${Icon} name="play" /><//></div></li>`}
  ${hasPage('printer') && printers.map(printer => html`<${Place} key=${printer.name} printer=${printer} file=${file} />`)}
</ul></section>`

function Chooser ({ text, isFirst, onFile }) {
  const input = useRef(/** @type {any} */ (null))
  return html`<button type="button" class=${isFirst ? 'primary' : 'quiet'} onClick=${() => input.current.click()}>${text}</button>
    <input ref=${input} type="file" hidden accept=${hasPage('slicing') ? '.3mf,.stl,.obj' : '.3mf'} tabindex="-1" aria-label=${text}
      onChange=${event => { const [file] = event.currentTarget.files; if (file) onFile(file) }} />`
}

function Share () {
  const [file, setFile] = useState(/** @type {File | undefined} */ (undefined))
  const [problem, setProblem] = useState('')
  const [printers, setPrinters] = useState(/** @type {any[]} */ ([]))
  const show = async source => {
    setProblem(source ? await fileProblem(source) : '')
    setFile(source)
  }
  useEffect(() => {
    void waitingFile().then(show)
    call('GET', 'fleet').then(answer => setPrinters(inOrder(answer.printers)),
      () => setPrinters(shell.printers.map(name => ({ name, ...UNKNOWN }))))
  }, [])
  const choose = async source => { await handOver(source); await show(source) }
  return html`<main class="page narrow"><div class="page-head"><h1>${t('share.title')}</h1></div>
    <p class="lead">${t('share.lead')}</p>
    ${hasFailed && !file && html`<p class="note bad" role="alert">${t('share.failed')}</p>`}
    ${file
      ? html`<section class="card"><ul class="rows"><li class="row">
          <div class="row-main"><b>${file.name}</b><small>${sizeOf(file)}</small></div>
          <div class="row-end"><${Chooser} text=${t('share.other')} onFile=${choose} /></div></li></ul>
          ${canSlice(problem)
            ? html`<p class="note">${t('share.model')}</p><div class="buttons"><${Hand} class="button primary"
                file=${file} page="slicing">${t('share.slice')}<//></div>`
            : problem !== '' && html`<p class="note bad" role="alert">${t(`file.problem.${problem}`, { name: file.name })}</p>`}</section>`
      : html`<section class="empty"><span class="picture"><${PrinterDrawing} model="X1C" spools=${[]} /></span>
          <h2>${t('share.none')}</h2><p>${t('share.invite')}</p><${Chooser} text=${t('share.choose')} isFirst onFile=${choose} /></section>`}
    ${file && problem === '' && html`<${Places} printers=${printers} file=${file} />`}
  </main>`
}

/** The worker could not keep what was shared. */
const hasFailed = new URL(location.href).searchParams.has('failed')
const place = /** @type {HTMLElement} */ (document.getElementById('share'))
place.textContent = ''
render(html`<${Share} />`, place)
