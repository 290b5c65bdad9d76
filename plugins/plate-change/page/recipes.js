// Recipes: which are accepted for the chosen printer, and by whom.

import { callerName, dateTime, hasText, t } from 'shell'
import { Ask } from './ask.js'
import { Editor } from './editor.js'
import { attempt, html, useState } from './lib.js'

const EMPTY = {
  name: '', models: [], materials: [], start_gcode: '', end_gcode: '', cool_c: 30, cool_minutes: 60, soak_minutes: 0, magazine: 0, check: 'person'
}

/** Keys of the words of examples, by the name that the service gives them. @type {Record<string, string>} */
const EXAMPLES = { 'Example: push the part to the front': 'push', 'Example: plate changer': 'changer', 'Example: soak only': 'soak' }

/** An example in the reader's language, where there are words for it. @param {any} example */
const worded = example => {
  const key = `plate-change.example.${EXAMPLES[example.name]}`
  return hasText(key) ? { ...example, name: t(key), note: t(`${key}.note`) } : example
}

const Recipe = ({ recipe, accepted, printer, mayAccept, mayEdit, onEdit, onAsk }) => html`<li class="recipe"><div><b>${recipe.name}</b>
    <small class="faint">${[...recipe.models, ...recipe.materials, `${t('plate-change.check')} ${t(`plate-change.check.${recipe.check}`)}`].join(' · ')}</small>
    ${accepted && html`<small class="good">${t('plate-change.accepted', { who: callerName(accepted.accepted_by), when: dateTime(accepted.accepted_at) })}</small>`}</div>
  <div class="buttons">${mayAccept && (accepted
    ? html`<button type="button" onClick=${() => onAsk('withdraw', recipe)}>${t('plate-change.withdraw')}</button>`
    : html`<button type="button" onClick=${() => onAsk('accept', recipe)}>${t('plate-change.accept', { printer })}</button>`)}
    ${mayEdit && html`<button type="button" class="quiet" onClick=${() => onEdit(recipe)}>${t('plate-change.edit')}</button>
    <button type="button" class="quiet" onClick=${() => onAsk('delete', recipe)}>${t('plate-change.delete')}</button>`}</div></li>`

/** @param {{ status: any, list: any, onChanged: () => void }} props */
export function Recipes ({ status, list, onChanged }) {
  const [edited, setEdited] = useState(/** @type {any} */ (undefined))
  const [asked, setAsked] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const { printer, may_change: mayAccept } = status
  const { may_change: mayEdit } = list
  const send = async (method, path, params) => {
    if (await attempt(setProblem, method, path, params)) onChanged()
  }
  const allow = ({ id, hash }, accepted) => send('POST', 'plate-change/accept', { printer, recipe: id, hash, accepted })
  const ask = (act, recipe) => {
    if (act === 'withdraw') void allow(recipe, false)
    else setAsked({ act, recipe })
  }
  const saved = () => { setEdited(undefined); onChanged() }
  const close = () => setAsked(undefined)
  return html`<section class="card" aria-labelledby="recipes-title"><header><h2 id="recipes-title">${t('plate-change.recipes')}</h2></header>
    ${edited
      ? html`<${Editor} key=${edited.id ?? edited.name} printer=${printer} recipe=${edited} onSaved=${saved} onClose=${() => setEdited(undefined)} />`
      : html`${list.recipes.length === 0 && html`<p class="faint">${t('plate-change.recipes.none')}</p>`}
        <ul class="recipes">${list.recipes.map(recipe => html`<${Recipe} key=${recipe.id} ...${{ recipe, printer, mayAccept, mayEdit }}
          accepted=${status.recipes.find(({ id }) => id === recipe.id)} onEdit=${setEdited} onAsk=${ask} />`)}</ul>
        ${mayEdit && html`<div class="buttons"><button type="button" class="primary" onClick=${() => setEdited(EMPTY)}>${t('plate-change.new')}</button>
          ${list.examples.map(worded).map(example => html`<button key=${example.name} type="button" class="quiet" onClick=${() => setEdited(example)}>${example.name}</button>`)}</div>`}`}
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    ${asked?.act === 'accept' && html`<${Ask} title=${t('plate-change.accept.title', { name: asked.recipe.name, printer })} text=${asked.recipe.consequence}
      yes=${t('plate-change.accept.yes')} onYes=${() => allow(asked.recipe, true)} onClose=${close} />`}
    ${asked?.act === 'delete' && html`<${Ask} title=${t('plate-change.delete.title', { name: asked.recipe.name })} text=${t('plate-change.delete.sure')}
      yes=${t('plate-change.delete')} onYes=${() => send('DELETE', `plate-change/recipes/${asked.recipe.id}`, {})} onClose=${close} />`}</section>`
}
