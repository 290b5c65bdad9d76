// What stands beside the picture: findings, colours, figures, layers.

import { clock, hasText, number, t } from 'shell'
import { findingWords } from '../../shell/page/findings.js'
import { featureColor, filamentColor, MODES, RAMP } from './colors.js'
import { FEATURES } from './pack-track.js'
import { clockOf, duration, grams, html, mm, useState } from './lib.js'

const TONES = { stop: 'bad', warn: 'warn', note: '' }
const PAGE = 50

const Dot = ({ color }) => html`<svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4.5" fill=${color} /></svg>`

const whereOf = ({ line, layer, position }) => [
  layer > 0 && t('plate.where.layer', { layer: number(layer) }),
  line > 0 && t('plate.where.line', { line: number(line) }),
  position && t('plate.where.place', { x: number(position.x), y: number(position.y), z: number(position.z) })
].filter(Boolean).join(' · ')

function Finding ({ finding, isChosen, onGo }) {
  const { message, remedy } = findingWords(finding, { clock, hasText, number, t })
  const title = t(`finding.title.${finding.code}`)
  return html`<li class=${isChosen ? 'chosen' : ''}>
    <h3><span class=${`badge ${TONES[finding.weight]}`}>${t(`plate.weight.${finding.weight}`)}</span> ${title}</h3>
    <p>${message}.</p>
    <p>${remedy}</p>
    <p class="faint">${whereOf(finding)}</p>
    ${finding.layer > 0 && html`<button type="button" class="small" onClick=${() => onGo(finding)}>${t('plate.go')}</button>`}
  </li>`
}

/** @param {{ summary: any, chosen: any, onGo: (finding: any) => void }} props */
export const Findings = ({ summary, chosen, onGo }) => html`<section class="card" aria-labelledby="findings-title">
  <h2 id="findings-title">${t('plate.findings')}</h2>
  ${summary.findings.length === 0
    ? html`<p class="good-word">${t('plate.findings.none')}</p>`
    : html`<ul class="findings">${summary.findings.map((finding, at) => html`<${Finding} key=${at} finding=${finding}
      isChosen=${chosen === finding} onGo=${onGo} />`)}</ul>`}
</section>`

const whole = value => number(value, { maximumFractionDigits: 0 })

const Scale = ({ least = 0, most, unit }) => html`<div class="scale"><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
  <defs><linearGradient id="ramp">${RAMP.map((color, at) => html`<stop offset=${at / (RAMP.length - 1)} stop-color=${color} />`)}</linearGradient></defs>
  <rect width="100" height="6" fill="url(#ramp)" /></svg><span>${whole(least)}</span><span>${whole((least + most) / 2)}</span><span>${whole(most)} ${unit}</span></div>`

/** Of the nozzle's targets; with a single one there is no scale. */
function Heat ({ has: { coldest, hottest } }) {
  if (hottest === 0) return html`<p class="faint">${t('plate.heat.none')}</p>`
  if (hottest - coldest < 1) return html`<p>${t('plate.heat.one', { celsius: whole(hottest) })}</p>`
  return html`<${Scale} least=${coldest} most=${Math.max(hottest, coldest + 10)} unit="°C" /><p class="faint">${t('plate.heat.target')}</p>`
}

/** @param {{ filament: number, type: string }} filament */
const nameOf = ({ filament, type }) => [t('plate.filament', { number: filament }), type].filter(Boolean).join(' · ')

function keysOf (mode, { features, summary, colors }) {
  if (mode === 'feature') return FEATURES.flatMap((name, at) => features[at] ? [[featureColor(name), t(`plate.feature.${name}`)]] : [])
  return summary.filaments.map(one => [filamentColor(colors, one.filament), nameOf(one)])
}

/**
 * @param {{ mode: string, travel: boolean, has: any, summary: any, colors: any, onMode: (mode: string) => void,
 *   onTravel: (on: boolean) => void }} props
 */
export const Legend = ({ mode, travel, has, summary, colors, onMode, onTravel }) => html`<section class="card" aria-labelledby="legend-title">
  <h2 id="legend-title">${t('plate.colors')}</h2>
  <div class="modes" role="group" aria-labelledby="legend-title">${MODES.map(one => html`<button type="button" key=${one}
    aria-pressed=${one === mode} onClick=${() => onMode(one)}>${t(`plate.color.${one}`)}</button>`)}</div>
  ${mode === 'speed' && html`<${Scale} most=${has.speed / 10} unit="mm/s" />`}
  ${mode === 'flow' && html`<${Scale} most=${has.flow} unit="mm³/s" />`}
  ${mode === 'temperature' && html`<${Heat} has=${has} />`}
  ${(mode === 'feature' || mode === 'filament') && html`<ul class="legend">${keysOf(mode, { features: has.features, summary, colors })
    .map(([color, words]) => html`<li key=${words}><${Dot} color=${color} />${words}</li>`)}</ul>`}
  <label class="check"><input type="checkbox" checked=${travel} onChange=${event => onTravel(event.currentTarget.checked)} /> ${t('plate.travel')}</label>
</section>`

const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd>${children}</dd></div>`

/** @param {{ summary: any, colors: any }} props */
export const Facts = ({ summary, colors }) => html`<section class="card" aria-labelledby="facts-title">
  <h2 id="facts-title">${t('plate.figures')}</h2>
  <dl class="facts">
    <${Fact} name=${t('plate.printing')}>${duration(summary.seconds)}<//>
    ${summary.slicer_seconds !== null && html`<${Fact} name=${t('plate.slicer_says')}>${duration(summary.slicer_seconds)}<//>`}
    <${Fact} name=${t('plate.height')}>${mm(summary.height_mm)}<//>
    <${Fact} name=${t('plate.changes')}>${number(summary.filament_changes)}<//>
  </dl>
  <ul class="spools">${summary.filaments.map(({ filament, type, part_g: part, prime_g: prime, flush_g: flush }) => html`<li key=${filament}>
    <${Dot} color=${filamentColor(colors, filament)} /><span>${nameOf({ filament, type })}</span>
    <b>${grams(part + prime + flush)}</b>
    ${prime + flush > 0.05 && html`<small class="faint">${t('plate.waste', { grams: grams(prime + flush) })}</small>`}</li>`)}</ul>
</section>`

const Row = ({ layer, filaments, isShown, onGo }) => {
  const gramsOf = one => {
    const used = layer.filaments.find(({ filament }) => filament === one)
    return used ? used.part_g + used.prime_g + used.flush_g : 0
  }
  return html`<tr class=${isShown ? 'shown' : ''} aria-current=${isShown ? 'true' : undefined}>
    <th scope="row"><button type="button" class="quiet small" onClick=${() => onGo(layer.layer)}>${number(layer.layer)}</button></th>
    <td>${mm(layer.z_mm)}</td><td>${clockOf(layer.starts_at)}</td><td>${duration(layer.seconds)}</td>
    ${filaments.map(one => html`<td key=${one}>${gramsOf(one) > 0 ? grams(gramsOf(one)) : '–'}</td>`)}</tr>`
}

/**
 * The same for those who cannot see the picture.
 * @param {{ layers: any[], summary: any, last: number, onGo: (layer: number) => void }} props
 */
export function LayerTable ({ layers, summary, last, onGo }) {
  const [chosen, setPage] = useState(/** @type {number | undefined} */ (undefined))
  const page = chosen ?? Math.floor((last - 1) / PAGE)
  const filaments = summary.filaments.map(({ filament }) => filament)
  const rows = layers.slice(page * PAGE, (page + 1) * PAGE)
  const pages = Math.ceil(layers.length / PAGE)
  return html`<details class="card" id="layers"><summary><h2>${t('plate.layers')}</h2></summary>
    <div class="scroll" tabindex="0" role="region" aria-label=${t('plate.layers')}><table>
      <thead><tr><th scope="col">${t('plate.layer')}</th><th scope="col">${t('plate.height')}</th><th scope="col">${t('plate.starts')}</th>
        <th scope="col">${t('plate.takes')}</th>${filaments.map(one => html`<th scope="col" key=${one}>${t('plate.filament', { number: one })}</th>`)}</tr></thead>
      <tbody>${rows.map(layer => html`<${Row} key=${layer.layer} layer=${layer} filaments=${filaments} isShown=${layer.layer === last}
        onGo=${one => { setPage(undefined); onGo(one) }} />`)}</tbody></table></div>
    ${pages > 1 && html`<div class="buttons">
      <button type="button" disabled=${page === 0} onClick=${() => setPage(page - 1)}>${t('plate.before')}</button>
      <span>${t('plate.rows', { first: number(page * PAGE + 1), last: number(page * PAGE + rows.length), total: number(layers.length) })}</span>
      <button type="button" disabled=${page >= pages - 1} onClick=${() => setPage(page + 1)}>${t('plate.after')}</button></div>`}
  </details>`
}
