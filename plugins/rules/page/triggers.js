// "when": what a rule begins with.

import { t } from 'shell'
import { comparisonWords, isFact, valueItems } from './conditions.js'
import { html, ownZone, Sentence } from './lib.js'
import { Part } from './part.js'
import {
  ChoicePhrase, DurationPhrase, NumberPhrase, PrintersPhrase, SchedulePhrase, TextPhrase
} from './phrase.js'
import { AddPart, PickPhrase } from './picker.js'
import { KEY, newTrigger, printersIn, problemsAt } from './rule.js'

const ICONS = { event: 'bolt', state: 'level', time: 'clock', sun: 'clock', mqtt: 'link', webhook: 'link' }
const OTHERS = ['time', 'sun', 'mqtt', 'webhook']

const eventItems = ({ events }) => [...events.values()].map(({ name, words, group }) => ({ id: name, words, group }))

/** Only occurrences whose fields have these values. */
function Fields ({ edit, path, part, event }) {
  const wanted = part.fields ?? {}
  const offered = event.fields.filter(({ choices, type }) => choices.length > 0 || type === 'boolean')
  const set = (name, value) => {
    const { [name]: _old, ...others } = wanted
    const next = value === undefined ? others : { ...others, [name]: value }
    edit.set([...path, 'fields'], Object.keys(next).length === 0 ? undefined : next)
  }
  return offered.map(({ name, words, type, choices }) => {
    const values = type === 'boolean' ? [{ value: true, words: t('rules.yes') }, { value: false, words: t('rules.no') }] : choices
    return html`<span key=${name} class="pair">${words} <${ChoicePhrase} label=${words} value=${wanted[name]}
      choices=${[{ value: undefined, words: t('rules.whatever') }, ...values]} onChange=${value => set(name, value)} /></span>`
  })
}

function Event ({ edit, path, part }) {
  const event = edit.vocabulary.events.get(part.event)
  const pick = name => edit.set(path, { ...newTrigger('event', { name }), [KEY]: part[KEY] })
  return html`<${PickPhrase} label=${t('rules.event')} words=${event?.words ?? part.event} items=${eventItems(edit.vocabulary)} onPick=${pick}
      bad=${problemsAt(edit.problems, [...path, 'event']).length > 0} />
    ${event && html` <${Fields} edit=${edit} path=${path} part=${part} event=${event} />`}`
}

const A_WHILE_S = 600

/** At once, or only when it has been so for a while. */
function For ({ edit, path, part: { for_s: seconds = 0 } }) {
  const set = next => edit.set([...path, 'for_s'], next)
  const choices = [{ value: false, words: t('rules.for.once') }, { value: true, words: t('rules.for.while') }]
  return html`<${ChoicePhrase} label=${t('rules.for')} value=${seconds > 0} choices=${choices} onChange=${isLong => set(isLong ? A_WHILE_S : 0)} />
    ${seconds > 0 && html` <${DurationPhrase} label=${t('rules.for')} seconds=${seconds} onChange=${next => { if (next > 0) set(next) }}
      bad=${problemsAt(edit.problems, [...path, 'for_s']).length > 0} />`}`
}

const State = ({ edit, path, part }) => html`<${Sentence} text=${isFact(part, edit.vocabulary) ? 'rules.when.fact' : 'rules.when.state'} parts=${{
  ...comparisonWords({ edit, path, part, make: of => newTrigger('state', of) }),
  for: html`<${For} edit=${edit} path=${path} part=${part} />`
}} />`

const Time = ({ edit, path, part }) => html`<${SchedulePhrase} cron=${part.cron} bad=${problemsAt(edit.problems, [...path, 'cron']).length > 0}
    onChange=${cron => edit.set([...path, 'cron'], cron)} />
  ${part.zone && part.zone !== ownZone() && html` <small class="faint">${t('rules.zone', { zone: part.zone })}</small>`}`

const SIDES = [1, -1]

/** An offset is a number of minutes, before or after. */
const Sun = ({ edit, path, part }) => {
  const side = part.offset_min < 0 ? -1 : 1
  const minutes = Math.abs(part.offset_min ?? 0)
  return html`<${Sentence} text="rules.when.sun" parts=${{
    minutes: html`<${NumberPhrase} label=${t('rules.minutes')} value=${minutes} minimum=${0} maximum=${720} isWhole
      onChange=${next => edit.set([...path, 'offset_min'], next * side)} />`,
    side: html`<${ChoicePhrase} label=${t('rules.side')} value=${side} choices=${SIDES.map(value => ({ value, words: t(`rules.side.${value}`) }))}
      onChange=${next => edit.set([...path, 'offset_min'], minutes * next || (next < 0 ? -1 : 0))} />`,
    event: html`<${ChoicePhrase} label=${t('rules.sun')} value=${part.event} onChange=${event => edit.set([...path, 'event'], event)}
      choices=${['sunrise', 'sunset'].map(value => ({ value, words: t(`rules.sun.${value}`) }))} />`
  }} />`
}

/** What a message says is compared only where that is wanted. */
function Mqtt ({ edit, path, part }) {
  const setIs = is => edit.set(path, is === 'any'
    ? { kind: part.kind, topic: part.topic, ...part.path && { path: part.path }, [KEY]: part[KEY] }
    : { ...part, is, than: part.than ?? '' })
  const choices = ['any', 'equal', 'unequal', 'above', 'below'].map(value => ({ value, words: t(`rules.mqtt.${value}`) }))
  return html`<${Sentence} text="rules.when.mqtt" parts=${{
    topic: html`<${TextPhrase} label=${t('rules.topic')} value=${part.topic} placeholder="home/button"
      bad=${problemsAt(edit.problems, [...path, 'topic']).length > 0} onChange=${topic => edit.set([...path, 'topic'], topic)} />`,
    path: html`<${TextPhrase} label=${t('rules.path')} value=${part.path ?? ''} placeholder=${t('rules.path.whole')}
      bad=${problemsAt(edit.problems, [...path, 'path']).length > 0} onChange=${value => edit.set([...path, 'path'], value || undefined)} />`,
    is: html`<${ChoicePhrase} label=${t('rules.is')} value=${part.is ?? 'any'} choices=${choices} onChange=${setIs} />`
  }} />${part.is !== undefined && html` <${TextPhrase} label=${t('rules.than', { value: t('rules.topic') })} value=${part.than}
    onChange=${text => edit.set([...path, 'than'], ['above', 'below'].includes(part.is) ? Number(text) : text)} />`}`
}

const Webhook = () => html`${t('rules.when.webhook')} <small class="faint">${t('rules.webhook.hint')}</small>`

const KINDS = { event: Event, state: State, time: Time, sun: Sun, mqtt: Mqtt, webhook: Webhook }

/** What the buttons of a trigger call it. */
const triggerName = (part, { events, values }) => ({
  event: events.get(part.event)?.words, state: values.get(part.value)?.words
})[part.kind] ?? t(`rules.new.${part.kind}`)

const triggerItems = vocabulary => [
  ...eventItems(vocabulary).map(item => ({ ...item, id: `event ${item.id}` })),
  ...OTHERS.filter(kind => vocabulary.triggers.has(kind)).map(kind => ({ id: kind, words: t(`rules.new.${kind}`), group: kind === 'sun' ? 'time' : kind })),
  ...valueItems(vocabulary).map(item => ({ ...item, id: `state ${item.id}`, words: t(`rules.new.state.${vocabulary.values.get(item.id)?.type}`, { value: item.words }) }))
]

function triggerOf (id, { events, values }) {
  const [kind, name = ''] = id.split(' ')
  return newTrigger(kind, kind === 'event' ? events.get(name) : values.get(name), ownZone())
}

/** @param {{ edit: import('./part.js').Edit }} props */
export function Triggers ({ edit }) {
  const { rule: { when, printers }, vocabulary } = edit
  const whose = printersIn(edit.rule, vocabulary)
  return html`<div class="parts"><ul>${when.map((part, at) => html`<${Part} key=${part[KEY]} edit=${edit} path=${['when', at]} part=${part}
      word=${at === 0 ? '' : t('rules.or')} count=${when.length} name=${triggerName(part, vocabulary)} icon=${ICONS[part.kind]}>
      <${KINDS[part.kind] ?? Webhook} edit=${edit} path=${['when', at]} part=${part} /><//>`)}</ul>
    ${whose && vocabulary.printers.length > 0 && html`<p class="says where"><${Sentence} text=${`rules.on.${whose}`} parts=${{
      printers: html`<${PrintersPhrase} key=${whose} whose=${whose} printers=${printers} names=${vocabulary.printers} onChange=${next => edit.set(['printers'], next)} />`
    }} /></p>`}
    <${AddPart} words=${t(when.length === 0 ? 'rules.add.when.first' : 'rules.add.when')} title=${t('rules.choose.when')} isQuiet=${when.length > 0}
      items=${triggerItems(vocabulary)} onPick=${id => edit.append(['when'], triggerOf(id, vocabulary))} /></div>`
}
