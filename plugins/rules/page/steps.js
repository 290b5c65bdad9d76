// "then": what is done, one after the other.

import { t } from 'shell'
import { Conditions } from './conditions.js'
import { Inputs } from './inputs.js'
import { html, Sentence } from './lib.js'
import { Part } from './part.js'
import { ChoicePhrase, DurationPhrase } from './phrase.js'
import { AddPart, PickPhrase } from './picker.js'
import { KEY, newStep, problemsAt } from './rule.js'

const ICONS = { call: 'bolt', wait: 'clock', wait_until: 'clock', message: 'message', stop_if: 'stop' }
const OTHERS = ['message', 'wait', 'wait_until', 'stop_if']
const MOST_WAIT_S = 604_800
const MOST_TEXT = 1_000

const operationItems = vocabulary => [...vocabulary.operations.values()].map(({ name, words, group, consequence }) =>
  ({ id: name, words, group, hint: consequence }))

/** The printer of the event, or one by name. */
function Where ({ edit, path, part }) {
  const names = edit.vocabulary.printers
  const choices = [{ value: 'event', words: t('rules.printer.same') }, ...names.map(name => ({ value: name, words: name }))]
  return html`<${Sentence} text="rules.on.one" parts=${{
    printer: html`<${ChoicePhrase} label=${t('rules.printer')} value=${part.printer ?? 'event'} choices=${choices}
      bad=${problemsAt(edit.problems, [...path, 'printer']).length > 0} onChange=${printer => edit.set([...path, 'printer'], printer)} />`
  }} />`
}

function Call ({ edit, path, part }) {
  const operation = edit.vocabulary.operations.get(part.operation)
  const pick = name => edit.set(path, { ...newStep('call', edit.vocabulary.operations.get(name)), [KEY]: part[KEY] })
  return html`<${PickPhrase} label=${t('rules.operation')} words=${operation?.words ?? part.operation} items=${operationItems(edit.vocabulary)}
      bad=${problemsAt(edit.problems, [...path, 'operation']).length > 0} onPick=${pick} />
    ${operation?.perPrinter && html` <${Where} edit=${edit} path=${path} part=${part} />`}
    ${operation && html`<${Inputs} key=${part.operation} edit=${edit} path=${path} part=${part} operation=${operation} />`}`
}

const Wait = ({ edit, path, part }) => html`<${Sentence} text="rules.then.wait" parts=${{
  time: html`<${DurationPhrase} label=${t('rules.wait')} seconds=${part.seconds} most=${MOST_WAIT_S} bad=${problemsAt(edit.problems, [...path, 'seconds']).length > 0}
    onChange=${seconds => edit.set([...path, 'seconds'], seconds)} />`
}} />`

const WaitUntil = ({ edit, path, part }) => html`${t('rules.then.wait_until')}
  <${Conditions} edit=${edit} path=${[...path, 'if']} isInner />
  <${Sentence} text="rules.then.most" parts=${{
    time: html`<${DurationPhrase} label=${t('rules.most')} seconds=${part.most_s} most=${MOST_WAIT_S} bad=${problemsAt(edit.problems, [...path, 'most_s']).length > 0}
      onChange=${seconds => edit.set([...path, 'most_s'], seconds)} />`,
    otherwise: html`<${ChoicePhrase} label=${t('rules.otherwise')} value=${part.otherwise ?? 'stop'} onChange=${otherwise => edit.set([...path, 'otherwise'], otherwise)}
      choices=${['stop', 'go_on'].map(value => ({ value, words: t(`rules.otherwise.${value}`) }))} />`
  }} />`

/** Names that stand for something of the event, which are put where the cursor is. */
function Message ({ edit, path, part }) {
  const insert = name => ({ currentTarget }) => {
    const area = currentTarget.closest('.message').querySelector('textarea')
    area.setRangeText(`{${name}}`, area.selectionStart, area.selectionEnd, 'end')
    edit.set([...path, 'text'], area.value)
    area.focus()
  }
  return html`<${Sentence} text="rules.then.message" parts=${{
      urgency: html`<${ChoicePhrase} label=${t('rules.urgency')} value=${part.urgency ?? 'info'} onChange=${urgency => edit.set([...path, 'urgency'], urgency)}
        choices=${['info', 'warning', 'critical'].map(value => ({ value, words: t(`rules.urgency.${value}`) }))} />`
    }} />
    <div class="message"><textarea rows="2" maxlength=${MOST_TEXT} class=${problemsAt(edit.problems, [...path, 'text']).length > 0 ? 'bad' : ''}
        aria-label=${t('rules.text')} placeholder=${t('rules.text')} defaultValue=${part.text}
        onInput=${({ target }) => edit.set([...path, 'text'], target.value)}></textarea>
      <p class="tokens"><small>${t('rules.text.insert')}</small>${edit.fields.map(({ name, words }) => html`<button type="button" class="small" key=${name}
        onClick=${insert(name)}>${words || t(`rules.field.${name}`)}</button>`)}</p></div>`
}

const StopIf = ({ edit, path }) => html`${t('rules.then.stop_if')}<${Conditions} edit=${edit} path=${[...path, 'if']} isInner />`

const KINDS = { call: Call, wait: Wait, wait_until: WaitUntil, message: Message, stop_if: StopIf }

/** What the buttons of a step call it. */
const stepName = (part, { operations }) => operations.get(part.operation)?.words ?? t(`rules.new.${part.kind}`)

const stepItems = vocabulary => [
  ...OTHERS.map(kind => ({ id: kind, words: t(`rules.new.${kind}`), hint: t(`rules.new.${kind}.hint`), group: kind === 'message' ? 'message' : 'wait' })),
  ...operationItems(vocabulary).map(item => ({ ...item, id: `call ${item.id}` }))
]

function stepOf (id, { operations }) {
  const [kind, name = ''] = id.split(' ')
  return newStep(kind, operations.get(name))
}

/** @param {{ edit: import('./part.js').Edit }} props */
export const Steps = ({ edit }) => html`<div class="parts steps"><ul>${edit.rule.then.map((part, at) => html`<${Part} key=${part[KEY]} edit=${edit} path=${['then', at]}
    part=${part} word="" count=${edit.rule.then.length} name=${stepName(part, edit.vocabulary)} icon=${ICONS[part.kind]} isOrdered>
    <${KINDS[part.kind] ?? Wait} edit=${edit} path=${['then', at]} part=${part} /><//>`)}</ul>
  <${AddPart} words=${t(edit.rule.then.length === 0 ? 'rules.add.then.first' : 'rules.add.then')} title=${t('rules.choose.then')} isQuiet=${edit.rule.then.length > 0}
    items=${stepItems(edit.vocabulary)} onPick=${id => edit.append(['then'], stepOf(id, edit.vocabulary))} /></div>`
