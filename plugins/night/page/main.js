// Quiet hours, the report in the morning, and the watch.

import { html } from 'components'
import { actorName, call, dateTime, hasPage, linkTo, shell, t } from 'shell'
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

const USUAL = { hours: '22:00-07:00', at: '07:00', minutes: 15 }
const LANGUAGES = { en: 'English', de: 'Deutsch', zh: '中文' }
const STEPS = [0, 1, 2]
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const CHANGED = 'settings_changed'

/** Somebody else has saved meanwhile: what this page shows is not what counts. */
const Changed = ({ onAgain }) => html`<div class="note warn" role="alert"><p>${t('night.changed')}</p>
  <button type="button" class="small" onClick=${onAgain}>${t('night.changed.show')}</button></div>`

/** A card that is a form of its own, and says what came of saving it. */
function Part ({ id, badge = '', onSave, onAgain, children }) {
  const [problem, setProblem] = useState('')
  const [isOld, setOld] = useState(false)
  const [outcome, setOutcome] = useState('')
  const save = async event => {
    event.preventDefault()
    setProblem('')
    setOld(false)
    setOutcome('')
    try {
      await onSave(new FormData(event.currentTarget))
      setOutcome(t('night.saved'))
    } catch (error) {
      if (error.body?.error === CHANGED) setOld(true)
      else setProblem(t('night.failed', { reason: /** @type {Error} */ (error).message }))
    }
  }
  return html`<form class="card" aria-labelledby=${`${id}-title`} onSubmit=${save}>
    <header><h2 id=${`${id}-title`}>${t(`night.${id}`)}</h2>${badge}<span role="status" class="faint">${outcome}</span></header>
    <p class="faint">${t(`night.${id}.text`)}</p>
    ${children}
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    ${isOld && html`<${Changed} onAgain=${onAgain} />`}
    <div class="buttons end"><button>${t('night.save')}</button></div>
  </form>`
}

const Choice = ({ name, label, hint = '', options, chosen }) => html`<fieldset><legend>${label}</legend>
  ${hint !== '' && html`<small class="faint">${hint}</small>`}
  <div class="choice">${options.map(option => html`<label class="check" key=${option}>
    <input type="checkbox" name=${name} value=${option} defaultChecked=${chosen.includes(option)} /> ${option}</label>`)}</div></fieldset>`

const Language = ({ chosen }) => html`<label>${t('night.language')} <select name="language">
  ${Object.entries(LANGUAGES).map(([code, name]) => html`<option key=${code} value=${code} selected=${code === chosen}>${name}</option>`)}</select></label>`

const Switch = ({ label, isOn, onChange }) => html`<label class="setting">${label}
  <input type="checkbox" name="on" checked=${isOn} onChange=${({ target }) => onChange(target.checked)} /></label>`

function Quiet ({ night, onSave, onAgain }) {
  const { settings: { quiet }, printers, groups, quiet_now: isQuiet } = night
  const [isOn, setOn] = useState(quiet.hours !== null)
  const [from, until] = (quiet.hours ?? USUAL.hours).split('-')
  const save = data => onSave({
    quiet: {
      hours: isOn ? `${data.get('from')}-${data.get('until')}` : null,
      ...(isOn && { printers: data.getAll('printers'), groups: data.getAll('groups'), lights_off: data.has('lights') })
    }
  })
  return html`<${Part} id="quiet" badge=${isQuiet && html`<span class="badge busy">${t('night.quiet.now')}</span>`} onSave=${save} onAgain=${onAgain}>
    <${Switch} label=${t('night.quiet.on')} isOn=${isOn} onChange=${setOn} />
    ${isOn && html`<div class="times"><label>${t('night.from')} <input type="time" name="from" required defaultValue=${from} /></label>
        <label>${t('night.until')} <input type="time" name="until" required defaultValue=${until} /></label></div>
      ${groups.length > 0 && html`<${Choice} name="groups" label=${t('night.groups')} options=${groups} chosen=${quiet.groups} />`}
      <${Choice} name="printers" label=${t('night.printers')} hint=${t('night.printers.hint')} options=${printers} chosen=${quiet.printers} />
      <label class="check"><input type="checkbox" name="lights" defaultChecked=${quiet.lights_off} /> ${t('night.lights')}</label>`}
    ${hasPage('messages') && html`<small><a href=${linkTo('messages')}>${t('night.messages.hint')}</a></small>`}<//>`
}

const NoTargets = () => html`<p class="note">${hasPage('messages') ? html`<a href=${linkTo('messages')}>${t('night.targets.none')}</a>` : t('night.targets.none')}</p>`

function Morning ({ night, onSave, onAgain }) {
  const { settings: { report }, targets } = night
  const [isOn, setOn] = useState(report.at !== null)
  const save = data => onSave({
    report: isOn ? { at: data.get('at'), targets: data.getAll('targets'), language: data.get('language') } : { at: null }
  })
  return html`<${Part} id="report" onSave=${save} onAgain=${onAgain}>
    <${Switch} label=${t('night.report.on')} isOn=${isOn} onChange=${setOn} />
    ${isOn && html`<div class="times"><label>${t('night.report.at')} <input type="time" name="at" required defaultValue=${report.at ?? USUAL.at} /></label>
        <${Language} chosen=${report.at === null ? shell.language : report.language} /></div>
      ${targets.length === 0 ? html`<${NoTargets} />` : html`<${Choice} name="targets" label=${t('night.targets')} options=${targets} chosen=${report.targets} />`}`}<//>`
}

function Watch ({ night, onSave, onAgain }) {
  const { settings: { watch }, targets } = night
  const [isOn, setOn] = useState(watch.after_min !== null)
  const save = data => onSave({
    watch: isOn
      ? { after_min: Number(data.get('after')), steps: data.getAll('steps').filter(name => name !== ''), language: data.get('language') }
      : { after_min: null }
  })
  return html`<${Part} id="watch" onSave=${save} onAgain=${onAgain}>
    <${Switch} label=${t('night.watch.on')} isOn=${isOn} onChange=${setOn} />
    ${isOn && html`<div class="times">
        <label>${t('night.watch.after')} <input type="number" name="after" min="1" max="1440" required defaultValue=${watch.after_min ?? USUAL.minutes} /></label>
        <${Language} chosen=${watch.after_min === null ? shell.language : watch.language} /></div>
      ${targets.length === 0
        ? html`<${NoTargets} />`
        : html`<div class="times">${STEPS.map(step => html`<label key=${step}>${t('night.watch.step', { number: step + 2 })}
            <select name="steps"><option value="">${t('night.watch.nobody')}</option>${targets.map(name => html`<option key=${name} value=${name}
              selected=${watch.steps[step] === name}>${name}</option>`)}</select></label>`)}</div>`}`}<//>`
}

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

function Zone ({ zone, onSave }) {
  return html`<p class="faint">${t('night.zone', { zone: zone ?? t('night.zone.machine') })}
    ${zone !== ownZone() && html` <button type="button" class="small" onClick=${() => onSave({ time_zone: ownZone() })}>${t('night.zone.own')}</button>`}</p>`
}

/** The settings, and which revision the forms show: that of the first reading, and of what was saved here since. */
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
  const part = { night, onSave: save, onAgain: again }
  return html`<main class="page narrow"><header class="page-head"><h1>${t('night.title')}</h1><p class="lead">${t('night.lead')}</p></header>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <${Quiet} key=${`quiet${turn}`} ...${part} /><${Morning} key=${`report${turn}`} ...${part} /><${Watch} key=${`watch${turn}`} ...${part} />
    <${Zone} zone=${night.settings.time_zone} onSave=${save} />
    <${Preview} report=${report} /><${Log} acts=${night.acts} /></main>`
}

const place = /** @type {any} */ (document.getElementById('night'))
place.replaceChildren()
render(html`<${App} />`, place)
