// Quiet hours, the morning report and the watch: one form that is saved as a whole.

import { html } from 'components'
import { hasPage, linkTo, shell, t } from 'shell'
import { useEffect, useRef, useState } from 'preact/hooks'

const USUAL = { hours: '22:00-07:00', at: '07:00', minutes: 15 }
const LANGUAGES = { en: 'English', de: 'Deutsch', zh: '中文' }
const STEPS = [0, 1, 2]
const CHANGED = 'settings_changed'
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** What the form says. What is switched off keeps its other settings. @param {FormData} data */
const settingsIn = data => ({
  quiet: data.has('quiet')
    ? {
        hours: `${data.get('from')}-${data.get('until')}`,
        printers: data.has('everyone') ? [] : data.getAll('printers'),
        groups: data.has('everyone') ? [] : data.getAll('groups'),
        lights_off: data.has('lights')
      }
    : { hours: null },
  report: data.has('report')
    ? { at: data.get('at'), targets: data.getAll('targets'), language: data.get('report_language') }
    : { at: null },
  watch: data.has('watch')
    ? { after_min: Number(data.get('after')), steps: data.getAll('steps').filter(name => name !== ''), language: data.get('watch_language') }
    : { after_min: null }
})

/** Who is told first and second matters, the order of the others does not. */
const comparable = (name, value) => JSON.stringify(Array.isArray(value) && name !== 'steps' ? [...value].sort() : value)

/**
 * The parts that differ from what is stored.
 * @param {Record<string, any>} settings @param {Record<string, any>} known
 */
const changesIn = (settings, known) => Object.fromEntries(Object.entries(settings).filter(([part, fields]) =>
  Object.entries(fields).some(([name, value]) => comparable(name, value) !== comparable(name, known[part][name]))))

/**
 * None would be all printers: the queue of the whole farm would stand still.
 * @param {any} quiet @param {boolean} isEveryone @throws if nothing is chosen
 */
function requireChosen ({ hours, printers = [], groups = [] }, isEveryone) {
  if (hours === null || isEveryone) return
  if (printers.length + groups.length === 0) throw new Error(t('night.choose'))
}

/** Somebody else has saved meanwhile: what this page shows is not what counts. */
const Changed = ({ onAgain }) => html`<div class="note warn" role="alert"><p>${t('night.changed')}</p>
  <button type="button" class="small" onClick=${onAgain}>${t('night.changed.show')}</button></div>`

const Part = ({ id, badge = '', children }) => html`<section class="card" aria-labelledby=${`${id}-title`}>
  <header><h2 id=${`${id}-title`}>${t(`night.${id}`)}</h2>${badge}</header><p class="faint">${t(`night.${id}.text`)}</p>${children}</section>`

/** What was chosen and is not there any more stays chosen, until somebody takes it away. */
const Choice = ({ name, label, options, chosen }) => html`<fieldset><legend>${label}</legend>
  <div class="choice">${[...new Set([...options, ...chosen])].map(option => html`<label class="check" key=${option}>
    <input type="checkbox" name=${name} value=${option} defaultChecked=${chosen.includes(option)} /> ${
      options.includes(option) ? option : t('night.gone', { name: option })}</label>`)}</div></fieldset>`

const Language = ({ name, chosen }) => html`<label>${t('night.language')} <select name=${`${name}_language`}>
  ${Object.entries(LANGUAGES).map(([code, word]) => html`<option key=${code} value=${code} selected=${code === chosen}>${word}</option>`)}</select></label>`

const Switch = ({ name, isOn, onSwitch }) => html`<label class="setting">${t(`night.${name}.on`)}
  <input type="checkbox" name=${name} checked=${isOn} onInput=${({ target }) => onSwitch(target.checked)} /></label>`

function Quiet ({ night }) {
  const { settings: { quiet }, printers, groups, quiet_now: isQuiet } = night
  const [isOn, setOn] = useState(quiet.hours !== null)
  const [isEveryone, setEveryone] = useState(quiet.printers.length + quiet.groups.length === 0)
  const [from, until] = (quiet.hours ?? USUAL.hours).split('-')
  return html`<${Part} id="quiet" badge=${isQuiet && html`<span class="badge busy">${t('night.quiet.now')}</span>`}>
    <${Switch} name="quiet" isOn=${isOn} onSwitch=${setOn} />
    ${isOn && html`<div class="times"><label>${t('night.from')} <input type="time" name="from" required defaultValue=${from} /></label>
        <label>${t('night.until')} <input type="time" name="until" required defaultValue=${until} /></label></div>
      <label class="check"><input type="checkbox" name="everyone" checked=${isEveryone} onInput=${({ target }) => setEveryone(target.checked)} /> ${t('night.everyone')}</label>
      ${!isEveryone && groups.length + quiet.groups.length > 0 && html`<${Choice} name="groups" label=${t('night.groups')} options=${groups} chosen=${quiet.groups} />`}
      ${!isEveryone && html`<${Choice} name="printers" label=${t('night.printers')} options=${printers} chosen=${quiet.printers} />`}
      <label class="check"><input type="checkbox" name="lights" defaultChecked=${quiet.lights_off} /> ${t('night.lights')}</label>`}
    ${hasPage('messages') && html`<small><a href=${linkTo('messages')}>${t('night.messages.hint')}</a></small>`}<//>`
}

const NoTargets = () => html`<p class="note">${hasPage('messages') ? html`<a href=${linkTo('messages')}>${t('night.targets.none')}</a>` : t('night.targets.none')}</p>`

function Morning ({ night }) {
  const { settings: { report }, targets } = night
  const [isOn, setOn] = useState(report.at !== null)
  return html`<${Part} id="report"><${Switch} name="report" isOn=${isOn} onSwitch=${setOn} />
    ${isOn && html`<div class="times"><label>${t('night.report.at')} <input type="time" name="at" required defaultValue=${report.at ?? USUAL.at} /></label>
        <${Language} name="report" chosen=${report.at === null ? shell.language : report.language} /></div>
      ${targets.length + report.targets.length === 0 ? html`<${NoTargets} />` : html`<${Choice} name="targets" label=${t('night.targets')} options=${targets} chosen=${report.targets} />`}`}<//>`
}

function Watch ({ night }) {
  const { settings: { watch }, targets } = night
  const [isOn, setOn] = useState(watch.after_min !== null)
  const names = [...new Set([...targets, ...watch.steps])]
  return html`<${Part} id="watch"><${Switch} name="watch" isOn=${isOn} onSwitch=${setOn} />
    ${isOn && html`<div class="times">
        <label>${t('night.watch.after')} <input type="number" name="after" min="1" max="1440" required defaultValue=${watch.after_min ?? USUAL.minutes} /></label>
        <${Language} name="watch" chosen=${watch.after_min === null ? shell.language : watch.language} /></div>
      ${names.length === 0
        ? html`<${NoTargets} />`
        : html`<div class="times">${STEPS.map(step => html`<label key=${step}>${t('night.watch.step', { number: step + 2 })}
            <select name="steps"><option value="">${t('night.watch.nobody')}</option>${names.map(name => html`<option key=${name} value=${name}
              selected=${watch.steps[step] === name}>${targets.includes(name) ? name : t('night.gone', { name })}</option>`)}</select></label>`)}</div>`}`}<//>`
}

const Zone = ({ zone, mayChange, onSave }) => html`<p class="faint">${t('night.zone', { zone: zone ?? t('night.zone.machine') })}
  ${mayChange && zone !== ownZone() && html` <button type="button" class="small" onClick=${() => onSave({ time_zone: ownZone() })}>${t('night.zone.own')}</button>`}</p>`

/** Saves one thing after another. @param {(change: object) => Promise<void>} onSave */
function useSaving (onSave) {
  const busy = useRef(false)
  const [said, setSaid] = useState({ outcome: '', problem: '', isOld: false, runs: false })
  /** @param {() => object} changeOf */
  const save = async changeOf => {
    if (busy.current) return
    busy.current = true
    const begun = { outcome: '', problem: '', isOld: false, runs: false }
    setSaid({ ...begun, runs: true })
    try {
      await onSave(changeOf())
      setSaid({ ...begun, outcome: t('night.saved') })
    } catch (error) {
      const { body, message } = /** @type {any} */ (error)
      setSaid(body?.error === CHANGED ? { ...begun, isOld: true } : { ...begun, problem: t('night.failed', { reason: message }) })
    } finally {
      busy.current = false
    }
  }
  return { ...said, save }
}

/**
 * What people set for the night, for those who may not change it as something to read.
 * @param {{ night: any, onSave: (change: object) => Promise<void>, onAgain: () => void }} props
 */
export function Settings ({ night, onSave, onAgain }) {
  const { settings, may_change: mayChange } = night
  const form = useRef(/** @type {any} */ (null))
  const [isChanged, setChanged] = useState(false)
  const { outcome, problem, isOld, runs, save } = useSaving(onSave)
  const compare = () => {
    if (!form.current) return
    const changes = changesIn(settingsIn(new FormData(form.current)), settings)
    setChanged(Object.keys(changes).length > 0)
  }
  useEffect(compare) // a switch shows fields that were not there when it was pressed
  const send = event => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    return save(() => {
      const given = settingsIn(data)
      requireChosen(given.quiet, data.has('everyone'))
      return changesIn(given, settings)
    })
  }
  return html`<form class="parts" ref=${form} aria-label=${t('night.title')} onSubmit=${send} onInput=${compare}>
    ${!mayChange && html`<p class="note">${t('night.readonly')}</p>`}
    <fieldset class="parts" disabled=${!mayChange}><${Quiet} night=${night} /><${Morning} night=${night} /><${Watch} night=${night} /></fieldset>
    <${Zone} zone=${settings.time_zone} mayChange=${mayChange} onSave=${change => save(() => change)} />
    ${mayChange && html`<div class="selection"><span role="status" class="faint">${outcome}</span>
      ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}${isOld && html`<${Changed} onAgain=${onAgain} />`}
      <span class="space" /><button class="primary" disabled=${runs || !isChanged}>${t('night.save')}</button></div>`}</form>`
}
