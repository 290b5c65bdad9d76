import { hasPage, t } from 'shell'
import { attempt } from './dialogs.js'
import { call, has, takes } from './api.js'
import { Dialog } from './dialog.js'
import { html, useEffect, useState } from './lib.js'
import { conditionsOf, consentOf, needsAccept, proposalOf, spoolsOf, unmapped } from '../../shell/page/mapping.js'
import { PrintMapping } from './print-mapping.js'
import { isFit, useOthers } from './print-elsewhere.js'
import { factsOf, Plates } from './print-plates.js'
import { usePlateFindings } from './print-findings.js'
import { PrintWarnings, useJudgement } from './print-warnings.js'
import { toQueue, Where } from './print-where.js'

const BED_TYPES = ['auto', 'cool_plate', 'eng_plate', 'hot_plate', 'textured_plate']

/** A plate and the spools proposed for it. @param {number} number 0 for the first one */
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
    facts: factsOf(props),
    thumbnail: props.metadata?.thumbnail ?? '',
    filaments,
    mapping: proposalOf(filaments, preview.resolved_ams_mapping, spoolsOf(view)),
    warning: preview.error ?? ''
  }
}

const OPTIONS = ['bl', 'flow', 'tl']

const Options = ({ options, put }) => html`<fieldset><legend>${t('printer.print.options')}</legend>
  ${OPTIONS.map(key => html`<label key=${key} class="check"><input type="checkbox" checked=${options[key]}
    onChange=${event => put({ [key]: event.currentTarget.checked })} /> ${t(`printer.print.${key}`)}</label>`)}
  <label>${t('printer.print.bed')} <select value=${options.plate} onChange=${event => put({ plate: event.currentTarget.value })}>
    ${BED_TYPES.map(value => html`<option key=${value} value=${value}>${t(`printer.print.bed.${value}`)}</option>`)}</select></label>
</fieldset>`

/** The application for one printer accepts all warnings or none. */
const acceptanceOf = judged => takes('print_3mf', 'accept_warnings')
  ? { accept_warnings: consentOf(judged) }
  : { accept_mismatch: true }

/** @param {any} judged the judgement whose warnings are accepted; undefined: none are */
const print = (file, { plate, mapping }, options, judged, findings) => attempt(t('printer.print.started'), () => call('print_3mf', {
  filename: file,
  platenum: plate,
  ...options,
  ...(options.use_ams && { ams_mapping: JSON.stringify(mapping) }),
  ...(judged && acceptanceOf(judged)),
  ...(findings.length > 0 && { accept_findings: findings })
}))

/** The chosen filament source; undefined while a spool is missing, since there is nothing to judge. */
const sourceToJudge = (loaded, { use_ams: useAms, plate }, missing) => !loaded || missing.length > 0
  ? undefined
  : {
      use_ams: useAms,
      bed_type: plate,
      ...(useAms && loaded.mapping.length > 0 && { ams_mapping: JSON.stringify(loaded.mapping) })
    }

/** What the button will do, or why it cannot. @returns {[words: string, isPossible: boolean]} */
function consequenceOf ({ name, view, printer, loaded, isQueued, other }) {
  if (!loaded.facts.printable) return [t('printer.print.unsliced', { number: loaded.plate }), false]
  if (other) return [t('printer.print.sure.move', { name, printer: other.name }), isFit(other, loaded.facts.models)]
  if (isQueued) return [t('printer.print.sure.queue', { name }), true]
  if (view.job.isBusy) return [t('printer.print.busy', { printer }), false]
  return [`${t('printer.print.sure', { printer, number: loaded.plate })} ${t('printer.print.look')}`, true]
}

/**
 * Prints a project from the card, after showing plates, spools and options.
 * @param {{ file: string, name: string, view: any, printer: string, source?: File, onMove?: (other: string) => void,
 *   onClose: () => void }} props
 *   `source` is the file chosen in the browser: it can also be queued, or sent to another printer by `onMove`
 */
export function PrintDialog ({ file, name, view, printer, source: chosen, onMove, onClose }) {
  const [number, setNumber] = useState(0)
  const [loaded, setLoaded] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  /** The judgement that the user accepted; a new one must be accepted again. */
  const [accepted, setAccepted] = useState(/** @type {any} */ (undefined))
  const [options, setOptions] = useState({ plate: 'auto', use_ams: view.units.length > 0, bl: true, flow: false, tl: false })
  const [where, setWhere] = useState({ queued: false, other: '', printers: /** @type {string[]} */ ([]) })
  const others = useOthers(printer, onMove !== undefined)
  const [runs, setRuns] = useState(false)
  /** After a refusal the print is judged again. */
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    let gone = false
    setProblem('')
    loadPlate(file, number, view).then(next => gone || setLoaded(next), error => gone || setProblem(error.message))
    return () => { gone = true }
  }, [file, number])
  const put = part => setOptions({ ...options, ...part })
  const reads = loaded?.number !== number // the dialog still shows another plate, which must not be printed
  const missing = loaded && options.use_ams ? unmapped(loaded.filaments, loaded.mapping) : []
  const source = sourceToJudge(loaded, options, missing)
  const judged = useJudgement(file, loaded?.plate ?? 1, source, `${refusals} ${conditionsOf(view)}`)
  const plate = usePlateFindings(file, loaded?.plate ?? 1, source)
  const accepts = judged !== undefined && needsAccept(judged)
  const isQueued = where.queued
  const other = where.other === '' // a chosen printer that has disappeared must not turn into a print here
    ? undefined
    : others.find(({ name: known }) => known === where.other) ?? { name: where.other, condition: 'offline' }
  const isHere = !isQueued && !other
  const isJudged = judged !== undefined && (!accepts || accepted === judged)
  const [words, isPossible] = loaded ? consequenceOf({ name, view, printer, loaded, isQueued, other }) : ['', false]
  const isAllowed = isPossible && !reads && !runs && (!isHere || (missing.length === 0 && isJudged && plate.isAllowed))
  const send = async event => {
    event.preventDefault()
    if (other) return onMove?.(other.name)
    setRuns(true)
    const done = await (isQueued && chosen
      ? toQueue(chosen, loaded.plate, options, where.printers)
      : print(file, loaded, options, accepts ? judged : undefined, plate.accepted))
    if (done) return onClose()
    setRefusals(refusals + 1)
    setRuns(false)
  }
  return html`<${Dialog} title=${t('printer.print.title', { name })} wide onClose=${onClose}>
    ${problem && html`<p class="bad" role="alert">${problem}</p>`}
    ${!loaded && !problem && html`<p role="status">${t('printer.skip.reading')}</p>`}
    ${loaded && html`<form onSubmit=${send}>
      <${Plates} file=${file} loaded=${loaded} chosen=${number || loaded.plate} reads=${reads} onChoose=${setNumber} />
      ${chosen && (hasPage('queue') || others.length > 0) && html`<${Where} where=${where} printer=${printer}
        others=${others} models=${loaded.facts.models} onChange=${setWhere} />`}
      <div class="halves">
        ${!isHere
          ? html`<p class="faint">${t(other ? 'printer.print.move.spools' : 'printer.print.queue.spools')}</p>`
          : html`<${PrintMapping} loaded=${loaded} view=${view} useAms=${options.use_ams} warnings=${judged?.warnings ?? []}
            setUse=${use => put({ use_ams: use })} setMapping=${mapping => setLoaded({ ...loaded, mapping })} />`}
        ${!other && html`<${Options} options=${options} put=${put} />`}</div>
      ${isHere && loaded.warning && options.use_ams && judged?.key === '' && html`<p class="warn" role="status">${loaded.warning}</p>`}
      ${isHere && judged && html`<${PrintWarnings} judged=${judged} accepted=${accepted === judged}
        onAccept=${yes => setAccepted(yes ? judged : undefined)} />`}
      ${isHere && plate.view}
      <p class=${isPossible ? 'sure' : 'warn'} role="status">${runs || (isHere && plate.isStopped) ? '' : words}</p>
      <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button>
        <button class="primary" disabled=${!isAllowed}>${other
          ? t('printer.print.move', { printer: other.name })
          : t(isQueued ? 'printer.print.queue.add' : 'printer.print.start')}</button></div>
    </form>`}
  <//>`
}
