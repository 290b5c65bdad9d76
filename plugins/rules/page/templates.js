// The beginning of a rule: from a template, or from nothing.

import { t } from 'shell'
import { Drawn, html, Icon, ownZone } from './lib.js'
import { templatesOf } from './templates.data.js'
import { newStep } from './rule.js'
import { isUsable } from './vocabulary.js'

/** With what an operation needs besides, such as the plug that is switched. */
const whole = (step, { operations }) => step.kind !== 'call'
  ? step
  : { ...step, input: { ...newStep('call', operations.get(step.operation)).input, ...step.input } }

/** Templates whose words this service knows. @param {import('./vocabulary.js').Vocabulary} vocabulary */
export const usableTemplates = vocabulary => templatesOf(t, ownZone(), vocabulary.printers[0])
  .filter(({ rule }) => isUsable(rule, vocabulary))
  .map(({ rule, ...template }) => {
    const then = rule.then.map(step => whole(step, vocabulary))
    return { ...template, rule: { ...rule, then } }
  })

const Template = ({ id, icon, title, text }) => html`<li><a class="template" href=${`#new/${id}`}><span class="kind">${icon}</span>
  <span><b>${title}</b><small>${text}</small></span></a></li>`

/** @param {{ vocabulary: import('./vocabulary.js').Vocabulary }} props */
export const Gallery = ({ vocabulary }) => html`<ul class="templates">
  <${Template} id="empty" icon=${html`<${Drawn} name="add" />`} title=${t('rules.template.empty')} text=${t('rules.template.empty.text')} />
  ${usableTemplates(vocabulary).map(({ id, icon }) => html`<${Template} key=${id} id=${id} icon=${html`<${icon.startsWith('own ') ? Drawn : Icon} name=${icon.replace('own ', '')} />`}
    title=${t(`rules.template.${id}`)} text=${t(`rules.template.${id}.text`)} />`)}</ul>`
