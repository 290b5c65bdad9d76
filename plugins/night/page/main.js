// Quiet hours, the report in the morning, and the watch.

import { html } from 'components'
import { actorName, call, dateTime, shell, t } from 'shell'
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Settings } from './settings.js'

function Preview ({ report }) {
  return html`<section class="card" aria-labelledby="preview-title"><header><h2 id="preview-title">${t('night.preview')}</h2></header>
    <div class="words"><b>${report.title}</b>${report.text}</div>
    ${report.acted.length > 0 && html`<h3>${t('night.acted')}</h3>
      <ul class="rows">${report.acted.map((one, at) => html`<li class="row" key=${at}><div class="row-main"><b>${one.words}</b>
        <small>${[dateTime(one.at), one.printer, actorName(one.who, one.surface)].filter(Boolean).join(' · ')}</small></div>
        <span class=${`badge ${one.outcome === 'done' ? '' : 'warn'}`}>${one.outcome_words}</span></li>`)}</ul>`}</section>`
}

const Log = ({ acts }) => html`<section class="card" aria-labelledby="log-title"><header><h2 id="log-title">${t('night.log')}</h2></header>
  ${acts.length === 0 && html`<p class="faint">${t('night.log.none')}</p>`}
  <ul class="rows">${acts.map((act, at) => html`<li class="row" key=${at}><div class="row-main"><b>${t(`night.log.${act.kind}`)}</b>
    <small>${[dateTime(act.at), act.printer, act.detail].filter(Boolean).join(' · ')}</small></div></li>`)}</ul></section>`

/** The settings, and which revision the form shows: that of the first reading, and of what was saved here since. */
function useNight () {
  const [state, setState] = useState(/** @type {any} */ ({ problem: '', turn: 0 }))
  const shown = useRef(0)
  const read = async (isAgain = false) => {
    try {
      const [night, report] = await Promise.all([call('GET', 'night'), call('GET', 'night/report', { language: shell.language })])
      if (isAgain) shown.current = night.revision
      setState(({ turn }) => ({ night, report, problem: '', turn: isAgain ? turn + 1 : turn }))
    } catch (error) {
      setState(known => ({ ...known, problem: /** @type {Error} */ (error).message }))
    }
  }
  const again = () => read(true)
  const save = async change => {
    await call('PATCH', 'night', { ...change, revision: shown.current })
    shown.current += 1
    await read()
  }
  useEffect(() => { void again() }, [])
  return { ...state, again, save }
}

function App () {
  const { night, report, problem, turn, again, save } = useNight()
  if (!night) return html`<main class="page narrow"><h1>${t('night.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  return html`<main class="page narrow"><header class="page-head"><h1>${t('night.title')}</h1><p class="lead">${t('night.lead')}</p></header>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <${Settings} key=${turn} night=${night} onSave=${save} onAgain=${again} />
    <${Preview} report=${report} /><${Log} acts=${night.acts} /></main>`
}

const place = /** @type {any} */ (document.getElementById('night'))
place.replaceChildren()
render(html`<${App} />`, place)
