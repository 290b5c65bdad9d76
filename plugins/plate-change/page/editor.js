// A recipe while it is written: it is checked as it stands, and tried in a plate of the library.

import { call, number, t } from 'shell'
import { attempt, html, useEffect, useState } from './lib.js'

const CHECKS = ['person', 'sensor', 'camera', 'sensor_and_camera']
const VARIABLES = '{bed_height_max}, {print_height_mm}, {plate_index}'
const CALM_MS = 400
const TRY_MS = 130_000

const listOf = text => text.split(',').map(part => part.trim()).filter(part => part !== '')

/** A recipe as the API wants it. */
export function recipeOf (recipe) {
  const { id: _, hash: __, consequence: ___, changed_at: ____, changed_by: _____, note: ______, ...known } = recipe
  const { sensor, ...fields } = known
  const asked = fields.check.startsWith('sensor') && sensor
  return { ...fields, ...asked && { sensor } }
}

/** What speaks against a recipe, after each pause in writing. */
function useProblems (printer, fields) {
  const [checked, setChecked] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const text = JSON.stringify(recipeOf(fields))
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(() => {
      call('POST', 'plate-change/try', { printer, ...JSON.parse(text) }, { signal: abort.signal }).then(
        answer => { setChecked(answer); setProblem('') }, error => { if (!abort.signal.aborted) setProblem(error.message) })
    }, CALM_MS)
    return () => { clearTimeout(timer); abort.abort() }
  }, [printer, text])
  return { checked, problem }
}

const Text = ({ label, value, onChange, type = 'text', ...rest }) => html`<label class="field"><span>${label}</span>
  <input type=${type} defaultValue=${value} onInput=${({ target }) => onChange(target.value)} ...${rest} /></label>`

const Figure = ({ label, value, min, max, onChange }) => html`<${Text} type="number" label=${label} value=${value} min=${min} max=${max}
  onChange=${text => { if (text !== '') onChange(Number(text)) }} />`

const Code = ({ label, value, onChange, part, problems }) => html`<label class="field code"><span>${label}</span>
  <textarea rows=${part === 'end' ? 12 : 4} spellcheck=${false} defaultValue=${value} onInput=${({ target }) => onChange(target.value)}></textarea></label>
  ${problems.filter(one => one.part === part).map(({ line, message }, at) =>
    html`<p class="bad" key=${at}>${t('plate-change.line', { line, message })}</p>`)}`

function Sensor ({ sensor, set }) {
  const change = its => set({ sensor: { topic: '', key: '', ...sensor, ...its } })
  const optional = (name, text, value) => {
    const { [name]: _, ...rest } = sensor ?? {}
    set({ sensor: { topic: '', key: '', ...rest, ...text !== '' && { [name]: value } } })
  }
  return html`<div class="fields"><${Text} label=${t('plate-change.topic')} value=${sensor?.topic ?? ''} onChange=${topic => change({ topic })} />
    <${Text} label=${t('plate-change.key')} value=${sensor?.key ?? ''} onChange=${key => change({ key })} />
    <${Text} label=${t('plate-change.empty')} value=${sensor?.empty ?? ''} onChange=${text => optional('empty', text, text)} />
    <${Text} type="number" label=${t('plate-change.above')} value=${sensor?.above ?? ''} onChange=${text => optional('above', text, Number(text))} />
    <${Text} type="number" label=${t('plate-change.below')} value=${sensor?.below ?? ''} onChange=${text => optional('below', text, Number(text))} />
    <${Text} label=${t('plate-change.ask')} value=${sensor?.ask ?? ''} onChange=${text => optional('ask', text, text)} /></div>`
}

const Tried = ({ plate }) => html`<p>${t('plate-change.try.is', {
    start: plate.start_line, end: plate.end_line, place: t(`plate-change.place.${plate.end_place}`), height: number(plate.print_height_mm), name: plate.name
  })}</p>
  ${plate.findings.length === 0
    ? html`<p class="note good">${t('plate-change.try.good')}</p>`
    : plate.findings.map(({ weight, message }, at) => html`<p key=${at} class=${weight === 'stop' ? 'bad' : ''}>${message}</p>`)}`

function Try ({ printer, fields }) {
  const [files, setFiles] = useState(/** @type {any[]} */ ([]))
  const [plate, setPlate] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  useEffect(() => { call('GET', 'queue/files').then(answer => setFiles(answer.files), () => {}) }, [])
  const choose = async value => {
    setPlate(null)
    if (value === '') return
    const [file, number] = value.split(' ')
    const answer = await attempt(setProblem, 'POST', 'plate-change/try', { printer, ...recipeOf(fields), file, plate: Number(number) }, { waitMs: TRY_MS })
    setPlate(answer?.plate ?? null)
  }
  const plates = files.flatMap(({ id, name, plates: all }) => all.filter(one => one.printable).map(one => ({ value: `${id} ${one.plate}`, name: `${name} (${one.plate})` })))
  return html`<label class="field"><span>${t('plate-change.try')}</span><select onChange=${({ target }) => choose(target.value)}>
      <option value="">${plates.length === 0 ? t('plate-change.try.none') : '…'}</option>
      ${plates.map(({ value, name }) => html`<option key=${value} value=${value}>${name}</option>`)}</select></label>
    ${plate && html`<${Tried} plate=${plate} />`}${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}`
}

/** @param {{ printer: string, recipe: any, onSaved: () => void, onClose: () => void }} props */
export function Editor ({ printer, recipe, onSaved, onClose }) {
  const [fields, setFields] = useState(recipe)
  const [problem, setProblem] = useState('')
  const set = its => setFields(before => ({ ...before, ...its }))
  const { checked, problem: unchecked } = useProblems(printer, fields)
  const problems = checked?.problems ?? []
  // An example that moves the toolhead was made for no printer: as it is, it is neither praised nor saved.
  const isUnadapted = recipe.note !== undefined && recipe.end_gcode !== '' && fields.end_gcode === recipe.end_gcode
  const save = async () => {
    const { id } = recipe
    if (await attempt(setProblem, 'POST', 'plate-change/recipes', { ...recipeOf(fields), ...id !== undefined && { id } })) onSaved()
  }
  return html`<div class="editor">${recipe.note && html`<p class="note warn">${recipe.note}</p>`}
    <${Text} label=${t('plate-change.name')} value=${fields.name} onChange=${name => set({ name })} />
    <div class="fields"><${Text} label=${t('plate-change.models')} value=${fields.models.join(', ')} onChange=${text => set({ models: listOf(text) })} />
      <${Text} label=${t('plate-change.materials')} value=${fields.materials.join(', ')} onChange=${text => set({ materials: listOf(text) })} /></div>
    <${Code} part="start" label=${t('plate-change.start')} value=${fields.start_gcode} problems=${problems} onChange=${text => set({ start_gcode: text })} />
    <${Code} part="end" label=${t('plate-change.end')} value=${fields.end_gcode} problems=${problems} onChange=${text => set({ end_gcode: text })} />
    <p class="faint">${t('plate-change.variables', { list: VARIABLES })}</p>
    <div class="fields"><${Figure} label=${t('plate-change.cool')} min="15" max="60" value=${fields.cool_c} onChange=${cool => set({ cool_c: cool })} />
      <${Figure} label=${t('plate-change.coolMinutes')} min="1" max="240" value=${fields.cool_minutes} onChange=${minutes => set({ cool_minutes: minutes })} />
      <${Figure} label=${t('plate-change.soak')} min="0" max="60" value=${fields.soak_minutes} onChange=${minutes => set({ soak_minutes: minutes })} />
      <${Figure} label=${t('plate-change.size')} min="0" max="1000" value=${fields.magazine} onChange=${magazine => set({ magazine })} />
      <label class="field"><span>${t('plate-change.check')}</span><select onChange=${({ target }) => set({ check: target.value })}>
        ${CHECKS.map(check => html`<option key=${check} value=${check} selected=${check === fields.check}>${t(`plate-change.check.${check}`)}</option>`)}</select></label></div>
    ${fields.check.startsWith('sensor') && html`<${Sensor} sensor=${fields.sensor} set=${set} />`}
    <${Try} printer=${printer} fields=${fields} />
    ${isUnadapted && html`<p class="note warn">${t('plate-change.unadapted')}</p>`}
    ${checked && !isUnadapted && problems.length === 0 && unchecked === '' && html`<p class="note good" role="status">${t('plate-change.fine', { printer })}</p>`}
    ${(unchecked || problem) !== '' && html`<p class="bad" role="alert">${problem || unchecked}</p>`}
    <p class="faint">${t('plate-change.changed')}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('plate-change.cancel')}</button>
      <button type="button" class="primary" disabled=${isUnadapted} onClick=${save}>${t('plate-change.save')}</button></div></div>`
}
