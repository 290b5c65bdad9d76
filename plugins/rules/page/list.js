// The rules as a list of sentences.

import { call, callerName, t } from 'shell'
import { Dialog, failedText, html, Icon, nearTime, Sentence, useMemo, useState } from './lib.js'
import { readsOf } from './reads.js'
import { RUN_TONES } from './runs.js'

const SHOWN_STEPS = 3
/** More rules than this can be searched. */
const FEW = 8

/** "When a print ends, if …, then …". @param {{ reads: ReturnType<typeof readsOf> }} props */
export function ReadsAs ({ reads }) {
  const more = reads.then.length - SHOWN_STEPS
  const steps = [...reads.then.slice(0, SHOWN_STEPS), ...more > 0 ? [t('rules.steps.more', { count: more })] : []]
  const part = (name, words) => html`<${Sentence} text=${`rules.reads.${name}`} parts=${{ what: html`<em>${words}</em>` }} />`
  return html`<p class="reads">${part('when', reads.when)}${reads.if !== '' && part('if', reads.if)}
    ${part('then', steps.join(', '))}</p>`
}

/** A switch that shows what was asked for until the service has answered. */
export function Switch ({ isOn, label, onChange }) {
  const [asked, setAsked] = useState(/** @type {boolean | undefined} */ (undefined))
  const change = async ({ target }) => {
    setAsked(target.checked)
    await onChange(target.checked)
    setAsked(undefined)
  }
  return html`<input type="checkbox" role="switch" class="switch" aria-label=${label} checked=${asked ?? isOn} disabled=${asked !== undefined} onChange=${change} />`
}

function lastRun ({ last_run: run }) {
  if (!run) return t('rules.never')
  return t('rules.last', { state: t(`rules.state.${run.state}`), time: nearTime(run.ended_at ?? run.at) })
}

const factsOf = rule => [
  lastRun(rule),
  rule.enabled && rule.next_at !== null && t('rules.next', { time: nearTime(rule.next_at) }),
  t('rules.by', { name: callerName(rule.author.name) })
].filter(Boolean).join(' · ')

/** One word for what a person should know. */
function stateOf ({ enabled, paused_reason: paused, last_run: run }) {
  if (paused !== null) return { tone: 'warn', icon: 'pause', words: t('rules.paused') }
  if (run?.state === 'running') return { tone: 'busy', icon: 'play', words: t('rules.state.running') }
  if (!enabled || run === null || !['failed', 'unclear'].includes(run.state)) return undefined
  return { tone: RUN_TONES[run.state], icon: 'alert', words: t(`rules.state.${run.state}`) }
}

/**
 * @typedef {(work: () => Promise<unknown>) => Promise<void>} Act says why something failed, and reads the rules again
 * @param {{ rule: any, reads: any, act: Act, onRemove: () => void, onCopy: () => void }} props
 */
function Row ({ rule, reads, act, onRemove, onCopy }) {
  const { id, name, enabled, paused_reason: paused } = rule
  const state = stateOf(rule)
  const closing = work => ({ currentTarget }) => { currentTarget.closest('details').open = false; work() }
  return html`<li class=${`rule${enabled ? '' : ' off'}`}>
    <${Switch} isOn=${enabled} label=${t('rules.enable', { name })} onChange=${on => act(() => call('POST', 'rules/enable', { id, enabled: on }))} />
    <div class="head"><a class="title" href=${`#rule/${encodeURIComponent(id)}`}>${name}</a>
      ${state && html`<span class=${`badge ${state.tone}`}><${Icon} name=${state.icon} />${state.words}</span>`}</div>
    <details class="menu"><summary class="button icon-only quiet small" aria-label=${t('rules.actions', { name })}><${Icon} name="more" /></summary><div>
      <a href=${`#rule/${encodeURIComponent(id)}`}>${t('rules.edit')}</a><a href=${`#runs/${encodeURIComponent(id)}`}>${t('rules.runs.of')}</a>
      <button type="button" onClick=${closing(onCopy)}>${t('rules.copy')}</button>
      <button type="button" class="danger" onClick=${closing(onRemove)}>${t('rules.remove')}</button></div></details>
    <div class="text"><${ReadsAs} reads=${reads} /><small>${factsOf(rule)}</small>
      ${paused !== null && html`<small class="why"><${Icon} name="pause" />${paused}</small>`}</div></li>`
}

function Remove ({ rule, onClose, onDone }) {
  const [problem, setProblem] = useState('')
  const remove = async () => {
    try {
      await call('DELETE', 'rules', { id: rule.id })
      onClose()
      await onDone()
    } catch (error) {
      setProblem(failedText(/** @type {Error} */ (error)))
    }
  }
  return html`<${Dialog} title=${t('rules.remove.sure', { name: rule.name })} onClose=${onClose}><p>${t('rules.remove.text')}</p>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('rules.cancel')}</button>
      <button type="button" class="danger" onClick=${remove}>${t('rules.remove')}</button></div><//>`
}

const textOf = ({ name, author }, reads) => [name, reads.when, reads.if, ...reads.then, author.name].join(' ').toLowerCase()

/**
 * @param {{ rules: readonly any[], vocabulary: import('./vocabulary.js').Vocabulary, act: Act, refresh: () =>
 *   Promise<void>,
 *   onCopy: (rule: any) => void }} props
 */
export function List ({ rules, vocabulary, act, refresh, onCopy }) {
  const [text, setText] = useState('')
  const [removing, setRemoving] = useState(/** @type {any} */ (undefined))
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const all = useMemo(() => rules.map(rule => {
    const reads = readsOf(rule, rule.reads, vocabulary)
    return { rule, reads, text: textOf(rule, reads) }
  }), [rules, vocabulary])
  const shown = all.filter(row => words.every(word => row.text.includes(word)))
  return html`<section class="card" aria-labelledby="list-title"><header><h2 id="list-title">${t('rules.list', { count: rules.length })}</h2>
      ${rules.length > FEW && html`<input type="search" aria-label=${t('rules.search')} placeholder=${t('rules.search')} onInput=${({ target }) => setText(target.value)} />`}</header>
    <ul class="list">${shown.map(({ rule, reads }) => html`<${Row} key=${rule.id} rule=${rule} reads=${reads} act=${act} onRemove=${() => setRemoving(rule)} onCopy=${() => onCopy(rule)} />`)}</ul>
    ${shown.length === 0 && html`<p class="faint">${t('rules.found.none')}</p>`}</section>
    ${removing && html`<${Remove} rule=${removing} onClose=${() => setRemoving(undefined)} onDone=${refresh} />`}`
}
