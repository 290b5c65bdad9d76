// The beginning of a rule: from a template, or from nothing.

import { t } from 'shell'
import { Drawn, html, Icon, ownZone } from './lib.js'
import { templatesOf } from './templates.data.js'
import { isUsable } from './vocabulary.js'

/** Templates whose words this service knows. @param {import('./vocabulary.js').Vocabulary} vocabulary */
export function usableTemplates (vocabulary) {
  const plug = vocabulary.plugs.find(({ printer }) => printer !== '')
  return templatesOf(t, { zone: ownZone(), printer: vocabulary.printers[0], plug })
    .filter(({ rule }) => isUsable(rule, vocabulary))
}

const Template = ({ id, icon, title, text }) => html`<li><a class="template" href=${`#new/${id}`}><span class="kind">${icon}</span>
  <span><b>${title}</b><small>${text}</small></span></a></li>`

/** @param {{ vocabulary: import('./vocabulary.js').Vocabulary }} props */
export const Gallery = ({ vocabulary }) => html`<ul class="templates">
  <${Template} id="empty" icon=${html`<${Drawn} name="add" />`} title=${t('rules.template.empty')} text=${t('rules.template.empty.text')} />
  ${usableTemplates(vocabulary).map(({ id, icon }) => html`<${Template} key=${id} id=${id} icon=${html`<${icon.startsWith('own ') ? Drawn : Icon} name=${icon.replace('own ', '')} />`}
    title=${t(`rules.template.${id}`)} text=${t(`rules.template.${id}.text`)} />`)}</ul>`
