// The page of rules: what the service does without a person, and what it did.

import { call, callerName, shell, t } from 'shell'
import { Editor } from './editor.js'
import { Drawn, failedText, html, nearTime, render, textOr, useEffect, useMemo, useRead, useRef, useState } from './lib.js'
import { List, Switch } from './list.js'
import { Proposals } from './proposals.js'
import { Runs } from './runs.js'
import { Gallery, usableTemplates } from './templates.js'
import { plainName, vocabularyOf } from './vocabulary.js'

const REFRESH_MS = 10_000
const LAST_RUNS = 8

/** Which part of the page the address names: `new/light`, `rule/ID`, `runs/ID`. */
function useAddress () {
  const [hash, setHash] = useState(location.hash.slice(1))
  useEffect(() => {
    const update = () => setHash(location.hash.slice(1))
    window.addEventListener('hashchange', update)
    return () => window.removeEventListener('hashchange', update)
  }, [])
  const [view, id = ''] = hash.split('/')
  return { view, id: decoded(id) }
}

/** What led to another view is gone with the one before: the focus goes to the new heading. @param {string} view */
function useHeading (view) {
  const isOpen = useRef(false)
  useEffect(() => {
    const heading = document.querySelector('h1')
    if (isOpen.current && heading && document.activeElement === document.body) {
      heading.tabIndex = -1
      heading.focus()
    }
    isOpen.current = true
  }, [view])
}

/** An address that somebody has cut off is one that leads to nothing. */
function decoded (text) {
  try { return decodeURIComponent(text) } catch { return text }
}

/** Words for what operations describe in English only. */
const TEXTS = {
  input: operation => (name, otherwise) => textOr(`rules.input.${operation}.${name}`, textOr(`rules.input.${name}`, otherwise)),
  choice: value => [`rules.choice.${value}`, `condition.${value}`, `alert.${value}`].map(key => textOr(key, '')).find(Boolean) ?? plainName(value)
}

/** What rules can be made of, and the rules, read again while the page is visible. */
function useRules () {
  const [changes, setChanges] = useState(0)
  const params = { lang: shell.language }
  const { body: words, problem: lacking } = useRead('rules/vocabulary', params)
  const { body, problem } = useRead('rules', params, true, changes)
  const { body: proposed } = useRead('rules/proposals', params, (body?.proposals ?? 0) > 0, changes)
  const hasPlugs = words?.operations.some(({ name }) => name === 'energy.turnOff') ?? false
  const { body: energy, problem: unplugged } = useRead('energy', {}, hasPlugs)
  const isReady = words !== undefined && (!hasPlugs || energy !== undefined || unplugged !== '')
  const vocabulary = useMemo(() => isReady ? vocabularyOf(words, TEXTS, energy?.plugs) : undefined,
    [words, energy, isReady])
  useEffect(() => {
    const timer = setInterval(() => { if (!document.hidden) setChanges(count => count + 1) }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return {
    vocabulary,
    service: body?.service,
    rules: body?.rules,
    proposals: (body?.proposals ?? 0) > 0 ? proposed?.proposals ?? [] : [],
    problem: problem || lacking,
    changes,
    refresh: async () => setChanges(count => count + 1)
  }
}

const Master = ({ service, act }) => html`<label class="master"><span>${t(service.enabled ? 'rules.service.on' : 'rules.service.off')}</span>
  <${Switch} isOn=${service.enabled} label=${t('rules.service')} onChange=${enabled => act(() => call('PATCH', 'rules/service', { enabled }))} /></label>`

const Invitation = ({ vocabulary }) => html`<section class="card"><div class="empty invite"><${Drawn} name="rules" /><h2>${t('rules.none')}</h2><p>${t('rules.none.text')}</p></div>
  <${Gallery} vocabulary=${vocabulary} /></section>`

function Overview ({ known, act, refused, onCopy, onProposal }) {
  const { service, rules, proposals, vocabulary, problem, changes, refresh } = known
  const isEmpty = rules.length === 0
  return html`<main class="page rules"><header class="page-head"><h1>${t('rules.title')}</h1><span class="space" />
      ${!isEmpty && html`<${Master} service=${service} act=${act} /><a class="button primary" href="#new">${t('rules.add')}</a>`}
      <p class="lead">${t('rules.lead')}</p></header>
    <p class="bad" role="alert" hidden=${(refused || problem) === ''}>${refused || problem}</p>
    ${!service.enabled && html`<p class="note warn">${t('rules.service.note', { name: callerName(service.changed_by), time: service.changed_at === null ? '–' : nearTime(service.changed_at) })}</p>`}
    <${Proposals} proposals=${proposals} vocabulary=${vocabulary} act=${act} onChange=${onProposal} />
    ${isEmpty ? html`<${Invitation} vocabulary=${vocabulary} />` : html`<${List} rules=${rules} vocabulary=${vocabulary} act=${act} refresh=${refresh} onCopy=${onCopy} />`}
    <${Runs} limit=${LAST_RUNS} act=${act} changes=${changes} /></main>`
}

const Back = ({ title }) => html`<header class="page-head"><a class="button quiet icon-only" href="#" aria-label=${t('rules.back')}><${Drawn} name="back" /></a><h1>${title}</h1></header>`

/** The rule that is edited: a new one, one of a template, a copy, a proposal, or one that is there. */
function editedRule ({ view, id }, { rules, vocabulary }, draft) {
  if (view === 'rule') return rules.find(rule => rule.id === id)
  if (view !== 'new' || id === '') return undefined
  if (id === 'draft') return draft
  return id === 'empty' ? {} : usableTemplates(vocabulary).find(template => template.id === id)?.rule
}

function App () {
  const address = useAddress()
  const known = useRules()
  useHeading(`${address.view}/${address.id}`)
  const [draft, setDraft] = useState(/** @type {any} */ (undefined))
  const [refused, setRefused] = useState('')
  const [turn, setTurn] = useState(0)
  const { rules, vocabulary, problem, changes, refresh } = known
  const act = async work => {
    setRefused('')
    await work().catch(error => setRefused(failedText(error)))
    await refresh()
  }
  if (!rules || !vocabulary) return html`<main class="page"><h1>${t('rules.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  const edited = editedRule(address, known, draft)
  const leave = () => { location.hash = '' }
  const open = rule => { setDraft(rule); location.hash = 'new/draft' }
  if (edited) {
    return html`<${Editor} key=${`${address.view}/${address.id}/${turn}`} rule=${edited} vocabulary=${vocabulary} onLeave=${leave}
      onDone=${() => { leave(); void refresh() }} onAgain=${() => setTurn(turn + 1)} />`
  }
  if (address.view === 'new') {
    return html`<main class="page rules"><${Back} title=${t('rules.new')} /><section class="card"><header><h2>${t('rules.begin')}</h2></header>
      <${Gallery} vocabulary=${vocabulary} /></section></main>`
  }
  if (address.view === 'runs') {
    return html`<main class="page rules"><${Back} title=${t('rules.runs')} /><p class="bad" role="alert" hidden=${refused === ''}>${refused}</p>
      <${Runs} key=${address.id} rule=${rules.find(({ id }) => id === address.id)} act=${act} changes=${changes} /></main>`
  }
  return html`<${Overview} known=${known} act=${act} refused=${refused}
    onCopy=${({ id: _id, ...rule }) => open({ ...rule, name: t('rules.copy.name', { name: rule.name }).slice(0, 80) })}
    onProposal=${({ id, rule }) => open({ ...rule, proposal: id })} />`
}

const place = /** @type {any} */ (document.getElementById('rules'))
place.replaceChildren()
render(html`<${App} />`, place)
