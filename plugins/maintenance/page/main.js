// What is to do on printers, what wears them, and what was done.

import { follow, t } from 'shell'
import { DoneDialog, DoneHistory, UndoStrip } from './done.js'
import { html, render, useEffect, useRead, useState } from './lib.js'
import { DueList, Machines } from './machines.js'
import { Tasks } from './tasks.js'

const VIEWS = ['', 'history', 'tasks']

function useHash () {
  const [hash, setHash] = useState(location.hash.slice(1))
  useEffect(() => {
    const update = () => setHash(location.hash.slice(1))
    window.addEventListener('hashchange', update)
    return () => window.removeEventListener('hashchange', update)
  }, [])
  return VIEWS.includes(hash) ? hash : ''
}

const Views = ({ view }) => html`<nav class="buttons" aria-label=${t('maintenance.view')}>${VIEWS.map(one => html`<a key=${one} class="button" href=${`#${one}`}
  aria-current=${view === one ? 'page' : undefined}>${t(`maintenance.view.${one || 'now'}`)}</a>`)}</nav>`

function App () {
  const view = useHash()
  const { body, problem, refresh } = useRead('maintenance')
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  const [recent, setRecent] = useState(/** @type {any[]} */ ([]))
  const [version, setVersion] = useState(0)
  useEffect(() => follow({ topics: ['maintenance'], onMessage: ({ topic }) => { if (topic === 'maintenance') void refresh() }, onMissed: refresh }), [refresh])
  const changed = async () => {
    setVersion(known => known + 1)
    await refresh()
  }
  if (!body) return html`<main class="page"><h1>${t('maintenance.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  const { printers, tasks } = body
  const mark = (printer, chosen) => setDialog({ printer, tasks: chosen })
  const recorded = async done => {
    setRecent(done)
    await changed()
  }
  const undone = async () => {
    setRecent([])
    await changed()
  }
  return html`<main class="page">
    <header class="page-head"><h1>${t('maintenance.title')}</h1><${Views} view=${view} /><span class="space" />
      <p class="lead">${t('maintenance.lead')}</p></header>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    ${recent.length > 0 && html`<${UndoStrip} key=${recent[0].id} done=${recent} onUndone=${undone} />`}
    ${view === '' && printers.length === 0 && html`<section class="card empty"><h2>${t('maintenance.none')}</h2><p>${t('maintenance.none.why')}</p></section>`}
    ${view === '' && printers.length > 0 && html`<${DueList} printers=${printers} onDone=${mark} />
      <${Machines} printers=${printers} onDone=${mark} onChanged=${changed} />`}
    ${view === 'history' && html`<${DoneHistory} version=${version} onUndone=${undone} />`}
    ${view === 'tasks' && html`<${Tasks} tasks=${tasks} printers=${printers.map(({ printer }) => printer)} onChanged=${changed} />`}
    ${dialog && html`<${DoneDialog} ...${dialog} onDone=${recorded} onClose=${() => setDialog(null)} />`}
  </main>`
}

const place = /** @type {any} */ (document.getElementById('maintenance'))
place.replaceChildren()
render(html`<${App} />`, place)
