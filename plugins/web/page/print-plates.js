import { number as figure, t } from 'shell'
import { call, has } from './api.js'
import { minutesText } from '../../shell/page/format.js'
import { html, useEffect, useState } from './lib.js'
import { Picture } from './picture.js'

const S_PER_MIN = 60

/** Time, filament and models of a plate. @param {any} record of the project API */
export const factsOf = ({ plate_num: plate, metadata = {} }) => ({
  plate,
  printable: metadata.printable !== false,
  seconds: metadata.seconds ?? undefined,
  grams: metadata.grams ?? undefined,
  nozzles: metadata.nozzle_diameters ?? [],
  models: metadata.models ?? [],
  bed: metadata.bed_type ?? ''
})

/**
 * Facts of all plates; plates that are not loaded yet are missing.
 * @returns {Map<number, ReturnType<typeof factsOf>>}
 */
function useFacts (file, count) {
  const [facts, setFacts] = useState(new Map())
  useEffect(() => {
    if (count < 2 || !has('get_all_3mf_props_for_file')) return
    const abort = new AbortController()
    call('get_all_3mf_props_for_file', { file }, { signal: abort.signal }).then(
      records => setFacts(new Map(records.map(record => [record.plate_num, factsOf(record)]))), () => {})
    return () => abort.abort()
  }, [file, count])
  return facts
}

const wordsOf = ({ printable, seconds, grams, nozzles, bed }) => printable
  ? [
      seconds !== undefined && minutesText(seconds / S_PER_MIN),
      grams !== undefined && `${figure(grams, { maximumFractionDigits: 1 })} g`,
      nozzles.length > 0 && `${[...new Set(nozzles)].map(mm => figure(mm)).join(' + ')} mm`,
      bed.replaceAll('_', ' ')
    ].filter(Boolean)
  : [t('printer.print.unsliced.short')]

const Plate = ({ file, number, chosen, thumbnail, facts, onChoose }) => html`<label class="plate-choice">
  <input type="radio" name="plate" checked=${chosen} disabled=${facts?.printable === false && !chosen}
    aria-label=${t('printer.print.plate.number', { number })} onChange=${() => onChoose(number)} />
  ${has('plate_thumbnail')
    ? html`<${Picture} route="plate_thumbnail" params=${{ file, plate: number, quality: 'preview' }} alt="" />`
    : html`<span class="picture">${thumbnail && html`<img src=${thumbnail} alt="" />`}</span>`}
  <b>${t('printer.print.plate.number', { number })}</b>
  ${facts && wordsOf(facts).map(word => html`<span key=${word} class=${facts.printable ? 'faint' : 'unsliced'}>${word}</span>`)}
</label>`

/** The plates of a project, with their facts. */
export function Plates ({ file, loaded, chosen, reads, onChoose }) {
  const all = useFacts(file, loaded.plates.length)
  const factsAt = number => number === loaded.plate ? loaded.facts : all.get(number)
  return html`<fieldset class="plates"><legend>${t('printer.print.plate')}</legend>${loaded.plates.map(number => html`<${Plate} key=${number}
    file=${file} number=${number} chosen=${number === chosen} facts=${factsAt(number)}
    thumbnail=${number === chosen && !reads ? loaded.thumbnail : ''} onChoose=${onChoose} />`)}</fieldset>`
}
