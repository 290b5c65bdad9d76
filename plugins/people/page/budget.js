// Budgets of keys: what they may print, and what is left of it.

import { t } from 'shell'
import { html } from './dialog.js'
import { textIn } from './fields.js'

const KINDS = ['prints', 'grams', 'hours']
const PERIODS = ['life', 'day', 'week']
const rounded = value => Math.round(value * 10) / 10

/** One line for each limit. */
export const budgetText = budget => budget === null
  ? []
  : KINDS.filter(kind => budget[kind]).map(kind => t(`people.budget.left.${kind}.${budget[kind].per}`, {
    left: rounded(budget[kind].left), most: rounded(budget[kind].most)
  }))

/** @param {{ budget?: any }} options */
export const Budget = ({ budget = null }) => html`<fieldset><legend>${t('people.budget')}</legend>
  <small>${t('people.budget.hint')}</small>
  ${KINDS.map(kind => html`<div class="field" key=${kind}>
    <label>${t(`people.budget.${kind}`)} <input name=${kind} type="number" min="0" step=${kind === 'prints' ? '1' : 'any'}
      defaultValue=${budget?.[kind]?.most} placeholder=${t('people.budget.none')} /></label>
    <select name=${`${kind}-per`} aria-label=${`${t(`people.budget.${kind}`)}: ${t('people.budget.per')}`}>
      ${PERIODS.map(per => html`<option value=${per} selected=${per === (budget?.[kind]?.per ?? 'life')}>${
        t(`people.budget.per.${per}`)}</option>`)}
    </select></div>`)}
</fieldset>`

/** @param {FormData} form @returns {object | null} null for no limits */
export function budgetIn (form) {
  const limits = KINDS.filter(kind => textIn(form, kind) !== '')
    .map(kind => [kind, { most: Number(textIn(form, kind)), per: textIn(form, `${kind}-per`) }])
  return limits.length === 0 ? null : Object.fromEntries(limits)
}
