// What a plate is made of and how: material, quality, and what only some want to choose.

import { filamentName, number, slotName, t } from 'shell'
import { html } from './lib.js'
import { Profiles } from './profiles.js'

const BEDS = ['textured_plate', 'cool_plate', 'eng_plate', 'hot_plate', 'supertack_plate', 'textured_cool_plate']

/** @param {{ printers: string[], printer: string, onPrinter: (name: string) => void }} props */
const Printers = ({ printers, printer, onPrinter }) => printers.length < 2
  ? ''
  : html`<label class="field"><span>${t('slicing.printer')}</span>
      <select value=${printer} onChange=${({ target }) => onPrinter(target.value)}>
        ${printers.map(name => html`<option key=${name} value=${name}>${name}</option>`)}</select></label>`

const Option = ({ group, value, isChosen, isOff = false, title, detail, onChoose }) =>
  html`<label class=${`option ${isOff ? 'off' : ''}`}><input type="radio" name=${group} value=${value} checked=${isChosen} disabled=${isOff}
    onChange=${onChoose} /><b>${title}</b><small>${detail}</small></label>`

/**
 * Spools that the built-in profiles can print, as the printer reports them; each material and colour once.
 * @param {any[]} spools @param {any[]} materials
 * @returns {{ type: string, color: string, ams_id: number, slot: number }[]}
 */
export const loadedSpools = (spools, materials) => spools
  .map(({ type, colors: [color = ''] = [], ...slot }) => ({ ...slot, type: type.toUpperCase(), color: color.slice(0, 7) }))
  .filter(({ type, color }) => color !== '' && materials.some(({ name, fits }) => fits && name === type))
  .filter((spool, at, all) => all.findIndex(({ type, color }) => type === spool.type && color === spool.color) === at)

const Loaded = ({ spools, choice, set }) => spools.length === 0
  ? ''
  : html`<fieldset><legend>${t('slicing.loaded')}</legend><div class="options">${spools.map(({ type, color, ams_id: unit, slot }) =>
      html`<label class="option spool" key=${type + color}><input type="radio" name="loaded"
        checked=${type === choice.material && color.toLowerCase() === choice.color.toLowerCase()}
        onChange=${() => set({ material: type, color: color.toLowerCase() })} />
        <b><i style=${{ backgroundColor: color }}></i>${filamentName(type, [color])}</b><small>${slotName({ ams_id: unit, slot })}</small></label>`)}</div></fieldset>`

const Materials = ({ materials, wanted, set }) => html`<fieldset><legend>${t('slicing.material')}</legend><div class="options">
  ${materials.map(({ name, nozzle_c: nozzle, bed_c: bed, fits }) => html`<${Option} key=${name} group="material" value=${name}
    isChosen=${name === wanted} isOff=${!fits} title=${name} detail=${fits ? `${nozzle} °C · ${bed} °C` : t('slicing.tooHot')}
    onChoose=${() => set({ material: name })} />`)}</div></fieldset>`

const Qualities = ({ qualities, wanted, set }) => html`<fieldset><legend>${t('slicing.quality')}</legend><div class="options">
  ${qualities.map(({ name, layer_mm: layer, walls, infill }) => html`<${Option} key=${name} group="quality" value=${name}
    isChosen=${name === wanted} title=${t(`slicing.quality.${name}`)}
    detail=${t('slicing.quality.is', { layer: number(layer), walls, infill })} onChoose=${() => set({ quality: name })} />`)}</div></fieldset>`

const More = ({ choice, set }) => html`<details><summary>${t('slicing.more.choices')}</summary><div class="fields">
  <label class="field"><span>${t('slicing.infill')}</span><input type="number" min="0" max="100" defaultValue=${choice.infill ?? ''}
    placeholder=${t('slicing.byQuality')} onChange=${({ target }) => set({ infill: target.value === '' ? undefined : Number(target.value) })} /></label>
  <label class="field"><span>${t('slicing.brim')}</span><input type="number" min="0" max="20" defaultValue=${choice.brim}
    onChange=${({ target }) => { target.value ||= '0'; set({ brim: Number(target.value) }) }} /></label>
  <label class="field"><span>${t('slicing.bed')}</span><select value=${choice.bed_type} onChange=${({ target }) => set({ bed_type: target.value })}>
    ${BEDS.map(bed => html`<option key=${bed} value=${bed}>${t(`slicing.bed.${bed}`)}</option>`)}</select></label>
  <label class="field"><span>${t('slicing.color')}</span><input type="color" value=${choice.color}
    onChange=${({ target }) => set({ color: target.value })} /></label>
</div></details>`

const Builtin = ({ profiles, spools, choice, set }) => html`<${Loaded} spools=${spools} choice=${choice} set=${set} />
  <${Materials} materials=${profiles.materials} wanted=${choice.material} set=${set} />
  <${Qualities} qualities=${profiles.qualities} wanted=${choice.quality} set=${set} />
  <label class="setting"><span>${t('slicing.supports')}</span><input type="checkbox" checked=${choice.supports}
    onChange=${({ target }) => set({ supports: target.checked })} /></label>
  <${More} choice=${choice} set=${set} />`

/** @param {any} props */
export const Choices = ({ printers, printer, onPrinter, profiles, spools, choice, set, onImported }) => html`<section class="card" aria-labelledby="how-title">
  <header><h2 id="how-title">${t('slicing.how')}</h2></header>
  <${Printers} printers=${printers} printer=${printer} onPrinter=${onPrinter} />
  <${Profiles} imported=${profiles.imported} chosen=${choice.profile} onChoose=${profile => set({ profile })} onImported=${onImported} />
  ${choice.profile === undefined && html`<${Builtin} profiles=${profiles} spools=${spools} choice=${choice} set=${set} />`}
</section>`
