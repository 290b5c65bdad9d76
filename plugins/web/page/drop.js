import { fileProblem, t, takeFile } from 'shell'
import { has } from './api.js'
import { Dialog } from './dialog.js'
import { showToast } from './dialogs.js'
import { html, useEffect, useRef, useState } from './lib.js'
import { PrintDialog } from './print-dialog.js'
import { choose, desk } from './printer-store.js'
import { createStore, useStore } from './store.js'
import { upload } from './upload.js'

const hasFiles = ({ dataTransfer }) => [...dataTransfer?.types ?? []].includes('Files')

/** Takes files dropped anywhere on the page. @returns {boolean} whether one is being dragged over it */
function useDrop (onFile) {
  const [above, setAbove] = useState(false)
  useEffect(() => {
    const over = event => { if (hasFiles(event)) { event.preventDefault(); setAbove(true) } }
    const leave = event => { if (event.relatedTarget === null) setAbove(false) }
    const drop = event => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setAbove(false)
      onFile(event.dataTransfer.files[0])
    }
    const listeners = /** @type {const} */ ([['dragover', over], ['dragleave', leave], ['drop', drop]])
    for (const [name, listener] of listeners) document.addEventListener(name, listener)
    return () => { for (const [name, listener] of listeners) document.removeEventListener(name, listener) }
  }, [])
  return above
}

/** Sends the file to the card first, because the copy there is checked and printed. */
function Sending ({ source, printer, onStored, onClose }) {
  const [{ text, part }, setStep] = useState({ text: t('printer.files.to_service'), part: /** @type {any} */ (0) })
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const abort = new AbortController()
    upload(source, '/', { printer, tells: has('file_transfers'), prints: true, onStep: setStep, signal: abort.signal }).then(
      ({ dest }) => abort.signal.aborted || onStored(dest),
      error => abort.signal.aborted || setProblem(error.message))
    return () => abort.abort()
  }, [])
  return html`<${Dialog} title=${t('printer.drop.title', { name: source.name })} onClose=${onClose}>
    ${problem === ''
      ? html`<p role="status">${text}</p><progress max="1" value=${part} aria-label=${text}></progress>`
      : html`<p class="bad" role="alert">${problem}</p>`}
    ${problem === '' && html`<p class="faint">${t('printer.drop.sure')}</p>`}
    <div class="buttons end"><button type="button" onClick=${onClose}>${t(problem === '' ? 'printer.drop.abort' : 'shell.close')}</button></div>
  <//>`
}

/** The chosen file, and the printer whose card it goes to. */
const chosen = createStore(/** @type {{ file: File, printer: string } | undefined} */ (undefined))

/** Drops the chosen file, unless it is for another printer. */
const forget = printer => { if (chosen.get()?.printer === printer) chosen.set(undefined) }

/** Sends the file to another printer, and shows that printer. */
function move (file, printer) {
  chosen.set({ file, printer })
  choose(printer)
}

/** Takes one file at a time, and none while a confirmation is open. @param {File | undefined} file */
async function take (file) {
  if (document.querySelector('dialog[open]') || file === undefined) return
  const problem = await fileProblem(file)
  if (problem === '') chosen.set({ file, printer: desk.get().printer })
  else showToast(t(`file.problem.${problem}`, { name: file.name }), true)
}

/** A button to choose a file instead of dropping it. */
export function ChooseFile () {
  const input = useRef(/** @type {any} */ (null))
  const onChange = event => { take(event.currentTarget.files[0]); event.currentTarget.value = '' }
  return html`<button type="button" class="primary" onClick=${() => input.current.click()}>${t('printer.drop.choose')}</button>
    <input ref=${input} class="hidden" type="file" accept=".3mf" tabindex="-1" aria-label=${t('printer.drop.file')} onChange=${onChange} />`
}

/** Prints a file that is dropped on the page or chosen. */
export function Drop ({ view, printer }) {
  const wanted = useStore(chosen)
  const source = wanted !== undefined && wanted.printer === printer ? wanted.file : undefined
  const [stored, setStored] = useState('')
  const above = useDrop(take)
  const close = () => { forget(printer); setStored('') }
  useEffect(() => {
    const { printer: other = printer } = chosen.get() ?? {}
    if (other !== printer) forget(other) // a third printer was chosen before the page showed that one
    void takeFile().then(take)
    return () => forget(printer)
  }, [])
  return html`${above && html`<div class="drop" role="status"><p>${t('printer.drop.here', { printer })}</p></div>`}
    ${source && (stored === ''
      ? html`<${Sending} source=${source} printer=${printer} onStored=${setStored} onClose=${close} />`
      : html`<${PrintDialog} file=${stored} name=${source.name} view=${view} printer=${printer} source=${source}
        onMove=${other => move(source, other)} onClose=${close} />`)}`
}
