// The models of a plate: how many of each, how large, which way up.

import { number, t } from 'shell'
import { html, Icon, problemsOf, sizeText } from './lib.js'

const AXES = ['x', 'y', 'z']

/** The first value of each part's size, over all parts: what people know a model by. */
const wholeSize = ({ parts }) => [0, 1, 2].map(axis => Math.max(...parts.map(part => part.size_mm[axis])))

const Turn = ({ axis, onTurn }) => html`<button type="button" class="small" aria-label=${t('slicing.turn.label', { axis })}
  onClick=${onTurn}>${t('slicing.turn', { axis })}</button>`

function Problem ({ problem, isRepaired, onRepair }) {
  const isHealed = problem.weight === 'repair' && isRepaired
  const tone = problem.weight === 'stop' ? 'bad' : problem.weight === 'repair' && !isRepaired ? 'warn' : ''
  return html`<p class=${`note ${tone}`}><span>${problem.message}${isHealed ? '' : ` ${problem.remedy}`}</span>
    ${problem.weight === 'repair' && html`<button type="button" class="small" aria-pressed=${isRepaired}
      onClick=${onRepair}>${t(isRepaired ? 'slicing.repaired' : 'slicing.repair')}</button>`}</p>`
}

/** @param {{ item: any, onChange: (change: object) => void, onRemove: () => void }} props */
function Item ({ item, onChange, onRemove }) {
  const { model, copies, percent, rotate, layFlat, repair, at } = item
  const turn = axis => () => onChange({ rotate: rotate.map((angle, at) => at === axis ? (angle + 90) % 360 : angle) })
  const scale = ({ target }) => {
    if (Number(target.value) > 0) onChange({ percent: Number(target.value) })
    else target.value = String(percent)
  }
  const size = wholeSize(model).map(side => side * percent / 100)
  return html`<li class="row model">
    <span class="row-main"><b>${model.name}</b><small>${sizeText(size)}${at && ` · ${t('slicing.placed', { x: number(at[0]), y: number(at[1]) })}`}</small></span>
    <span class="row-end">
      <span class="stepper">
        <button type="button" class="icon-only small" disabled=${copies <= 1} aria-label=${t('slicing.fewer', { name: model.name })}
          onClick=${() => onChange({ copies: copies - 1 })}>−</button>
        <output aria-label=${t('slicing.copies')}>${copies}</output>
        <button type="button" class="icon-only small" disabled=${copies >= 200} aria-label=${t('slicing.more', { name: model.name })}
          onClick=${() => onChange({ copies: copies + 1, at: undefined })}>+</button></span>
      <button type="button" class="quiet icon-only" aria-label=${t('slicing.remove', { name: model.name })} onClick=${onRemove}>
        <${Icon} name="close" /></button></span>
    ${problemsOf(model).map(problem => html`<${Problem} key=${problem.message} problem=${problem} isRepaired=${repair}
      onRepair=${() => onChange({ repair: !repair })} />`)}
    <details><summary>${t('slicing.shape')}</summary><div class="buttons">
      ${AXES.map((axis, at) => html`<${Turn} key=${axis} axis=${axis.toUpperCase()} onTurn=${turn(at)} />`)}
      <button type="button" class="small" aria-pressed=${layFlat}
        onClick=${() => onChange({ layFlat: !layFlat })}>${t('slicing.flat')}</button>
      ${at && html`<button type="button" class="small" onClick=${() => onChange({ at: undefined })}>${t('slicing.arrange')}</button>`}
      <label class="percent">${t('slicing.scale')} <input type="number" min="1" max="10000" step="any" defaultValue=${percent}
        onChange=${scale} /> %</label>
    </div></details>
  </li>`
}

/** @param {{ items: any[], uploads: any[], onChange: (key: number, change: object) => void,
 *   onRemove: (key: number) => void, onDismiss: (key: number) => void, onChoose: () => void }} props */
export const Models = ({ items, uploads, onChange, onRemove, onDismiss, onChoose }) => html`
  <section class="card" aria-labelledby="models-title">
  <header><h2 id="models-title">${t('slicing.models')}</h2>
    <button type="button" onClick=${onChoose}>${t('slicing.add')}</button></header>
  <ul class="rows">
    ${items.map(item => html`<${Item} key=${item.key} item=${item} onChange=${change => onChange(item.key, change)}
      onRemove=${() => onRemove(item.key)} />`)}
    ${uploads.map(({ key, name, part, problem }) => html`<li class="row" key=${`upload-${key}`}>
      <span class="row-main"><b>${name}</b>${problem === ''
        ? html`<progress max="1" value=${part} aria-label=${t('slicing.uploading', { name })} />`
        : html`<p class="note bad" role="alert">${problem}</p>`}</span>
      ${problem !== '' && html`<button type="button" class="quiet icon-only" aria-label=${t('slicing.remove', { name })}
        onClick=${() => onDismiss(key)}><${Icon} name="close" /></button>`}</li>`)}
  </ul></section>`
