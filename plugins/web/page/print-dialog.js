import { t } from 'shell'
import { attempt } from './dialogs.js'
import { call, has } from './api.js'
import { Dialog } from './dialog.js'
import { html, useEffect, useState } from './lib.js'
import { proposalOf, spoolsOf, unmapped } from './mapping.js'
import { Picture } from './picture.js'
import { PrintMapping } from './print-mapping.js'
import { needsAccept, PrintWarnings, useJudgement } from './print-warnings.js'

const PLATES = ['auto', 'cool_plate', 'eng_plate', 'hot_plate', 'textured_plate']

/** A plate and the spools proposed for it. @param {number} number 0 for the first there is */
async function loadPlate (file, number, view) {
  const plate = number || 1
  const [props, preview] = /** @type {any[]} */ (await Promise.all([
    call('get_3mf_props_for_file', { file, plate }),
    has('preview_ams_mapping') ? call('preview_ams_mapping', { file, plate }).catch(error => ({ error: error.message })) : {}
  ]))
  const filaments = preview.filaments ?? props.metadata?.filament ?? []
  return {
    number,
    plate: number || props.plate_num || plate,
    plates: props.plates ?? [plate],
    thumbnail: props.metadata?.thumbnail ?? '',
    filaments,
    mapping: proposalOf(filaments, preview.resolved_ams_mapping, spoolsOf(view)),
    externals: props.metadata?.external_spool_trays ?? [],
    warning: preview.error ?? ''
  }
}

const Plate = ({ file, number, chosen, thumbnail, onChoose }) => html`<label class="plate-choice">
  <input type="radio" name="plate" checked=${chosen} onChange=${() => onChoose(number)} />
  ${has('plate_thumbnail')
    ? html`<${Picture} route="plate_thumbnail" params=${{ file, plate: number, quality: 'preview' }} alt="" />`
    : html`<span class="picture">${chosen && thumbnail && html`<img src=${thumbnail} alt="" />`}</span>`}
  <span>${t('printer.print.plate.number', { number })}</span></label>`

const OPTIONS = ['bl', 'flow', 'tl']

const Options = ({ options, put }) => html`<fieldset><legend>${t('printer.print.options')}</legend>
  ${OPTIONS.map(key => html`<label key=${key} class="check"><input type="checkbox" checked=${options[key]}
    onChange=${event => put({ [key]: event.currentTarget.checked })} /> ${t(`printer.print.${key}`)}</label>`)}
  <label>${t('printer.print.bed')} <select value=${options.plate} onChange=${event => put({ plate: event.currentTarget.value })}>
    ${PLATES.map(value => html`<option key=${value} value=${value}>${t(`printer.print.bed.${value}`)}</option>`)}</select></label>
</fieldset>`

async function print (file, { plate, mapping }, options, accept, onClose) {
  const { use_ams: useAms } = options
  const done = await attempt(t('printer.print.started'), () => call('print_3mf', {
    filename: file,
    platenum: plate,
    ...options,
    ...(useAms && { ams_mapping: JSON.stringify(mapping) }),
    ...(accept && { accept_mismatch: true })
  }))
  if (done) onClose()
}

/** What shall be judged: nothing while a spool is missing. @returns {readonly number[]} */
function mappingToJudge (loaded, useAms, missing) {
  if (!loaded || missing.length > 0) return []
  return useAms ? loaded.mapping : loaded.externals
}

/** Prints a project from the card, after showing what will be printed with what. */
export function PrintDialog ({ file, name, view, onClose }) {
  const [number, setNumber] = useState(0)
  const [loaded, setLoaded] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  /** The judgement that somebody accepted: a new one is asked about again. */
  const [accepted, setAccepted] = useState(/** @type {any} */ (undefined))
  const [options, setOptions] = useState({ plate: 'auto', use_ams: view.units.length > 0, bl: true, flow: false, tl: false })
  useEffect(() => {
    let gone = false
    setProblem('')
    loadPlate(file, number, view).then(next => gone || setLoaded(next), error => gone || setProblem(error.message))
    return () => { gone = true }
  }, [file, number])
  const put = part => setOptions({ ...options, ...part })
  const reads = loaded?.number !== number // what is shown is still that of another plate, and must not be printed
  const missing = loaded && options.use_ams ? unmapped(loaded.filaments, loaded.mapping) : []
  const judged = useJudgement(file, loaded?.plate ?? 1, mappingToJudge(loaded, options.use_ams, missing))
  const accepts = judged !== undefined && needsAccept(judged)
  const isAllowed = judged !== undefined && (!accepts || accepted === judged)
  const send = event => { event.preventDefault(); void print(file, loaded, options, accepts, onClose) }
  return html`<${Dialog} title=${t('printer.print.title', { name })} wide onClose=${onClose}>
    ${problem && html`<p class="bad" role="alert">${problem}</p>`}
    ${!loaded && !problem && html`<p role="status">${t('printer.skip.reading')}</p>`}
    ${loaded && html`<form onSubmit=${send}>
      <fieldset class="plates"><legend>${t('printer.print.plate')}</legend>${loaded.plates.map(each => html`<${Plate} key=${each} file=${file}
        number=${each} chosen=${each === (number || loaded.plate)} thumbnail=${reads ? '' : loaded.thumbnail} onChoose=${setNumber} />`)}</fieldset>
      <div class="halves">
        <${PrintMapping} loaded=${loaded} view=${view} useAms=${options.use_ams} setUse=${use => put({ use_ams: use })}
          setMapping=${mapping => setLoaded({ ...loaded, mapping })} />
        <${Options} options=${options} put=${put} /></div>
      ${loaded.warning && options.use_ams && judged?.key === '' && html`<p class="warn" role="status">${loaded.warning}</p>`}
      ${judged && html`<${PrintWarnings} judged=${judged} accepted=${accepted === judged}
        onAccept=${yes => setAccepted(yes ? judged : undefined)} />`}
      <p class="faint">${t('printer.print.look')}</p>
      <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button>
        <button class="primary" disabled=${view.job.isBusy || reads || missing.length > 0 || !isAllowed}>${t('printer.print.start')}</button></div>
    </form>`}
  <//>`
}
