// Adds or changes a plug, and asks it before anything is stored.

import { call, hasPage, linkTo, t } from 'shell'
import { unitName } from '../../shell/page/format.js'
import { Dialog, energyText, Field, html, problemText, useState, wattsText } from './lib.js'

const KINDS = ['shelly_http', 'tasmota_http', 'tasmota', 'shelly2', 'shelly1', 'zigbee2mqtt', 'esphome', 'homeassistant']
const HTTP = new Set(['shelly_http', 'tasmota_http'])

/** The settings of each kind, the needed ones first. @type {Record<string, string[]>} */
const SETTINGS = {
  shelly_http: ['host', 'channel'],
  tasmota_http: ['host', 'channel'],
  tasmota: ['topic', 'channel'],
  shelly1: ['topic', 'channel'],
  shelly2: ['topic', 'channel'],
  zigbee2mqtt: ['topic'],
  esphome: ['topic', 'state', 'power', 'energy', 'energy_unit'],
  homeassistant: ['topic', 'state', 'power', 'energy', 'energy_unit']
}
/** Units that a plug can feed: four of several slots, and the single ones, which always have a supply of their own. */
const UNITS = [128, 129, 130, 131, 132, 133, 134, 135, 0, 1, 2, 3]
const OPTIONAL = new Set(['channel', 'power', 'energy', 'energy_unit'])

/** @type {Record<string, Record<string, string>>} */
const EXAMPLES = {
  host: { shelly_http: '192.168.1.40', tasmota_http: '192.168.1.41' },
  channel: { shelly_http: '0', tasmota_http: '1', tasmota: '1', shelly1: '0', shelly2: '0' },
  topic: {
    tasmota: 'plug1',
    shelly1: 'shellies/shellyplug-s-1A2B3C',
    shelly2: 'shellyplugsg3-1a2b3c',
    zigbee2mqtt: 'zigbee2mqtt/Printer plug',
    esphome: 'printer-plug',
    homeassistant: 'homeassistant'
  },
  state: { esphome: 'relay', homeassistant: 'switch.printer_plug' },
  power: { esphome: 'power', homeassistant: 'sensor.printer_plug_power' },
  energy: { esphome: 'total_energy', homeassistant: 'sensor.printer_plug_energy' }
}

const textOf = (form, name) => String(form.get(name) ?? '').trim()

function settingsIn (kind, form) {
  const entries = SETTINGS[kind].map(name => [name, textOf(form, name)]).filter(([, value]) => value !== '')
  return Object.fromEntries(entries.map(([name, value]) => [name, name === 'channel' ? Number(value) : value]))
}

function Setting ({ name, kind, value }) {
  const hint = OPTIONAL.has(name) ? t('energy.plug.optional') : ''
  const control = name === 'energy_unit'
    ? html`<select name=${name}>${['kWh', 'Wh'].map(unit => html`<option value=${unit} selected=${unit === value}>${unit}</option>`)}</select>`
    : html`<input name=${name} type=${name === 'channel' ? 'number' : 'text'} min="0" max="15" required=${!OPTIONAL.has(name)} maxlength="200"
        autocomplete="off" autocapitalize="none" spellcheck=${false} defaultValue=${value ?? ''} placeholder=${EXAMPLES[name]?.[kind] ?? ''} />`
  return html`<${Field} label=${t(`energy.plug.${name}`)} hint=${name === 'energy_unit' ? '' : hint}>${control}<//>`
}

const testedText = ({ is_on: isOn, watts, wh }) => t('energy.tested', {
  state: [
    t(isOn ? 'energy.on' : 'energy.off'),
    ...watts === null ? [] : [wattsText(watts)],
    wh === null ? t(watts === null ? 'energy.tested.nothing' : 'energy.tested.no_counter') : t('energy.tested.counter', { energy: energyText(wh) })
  ].join(', ')
})

/** Also one that only a program has chosen. @param {number | null} unit */
const unitsWith = unit => unit === null || UNITS.includes(unit) ? UNITS : [...UNITS, unit]

const Choices = ({ plug, printers }) => html`<${Field} label=${t('energy.plug.printer')}><select name="printer">
    <option value="" selected=${(plug?.printer ?? '') === ''}>${t('energy.alone')}</option>
    ${printers.map(name => html`<option value=${name} selected=${name === plug?.printer}>${name}</option>`)}</select><//>
  <${Field} label=${t('energy.plug.unit')}><select name="unit">
    <option value="" selected=${(plug?.unit ?? null) === null}>${t('energy.plug.unit.none')}</option>
    ${unitsWith(plug?.unit ?? null).map(unit => html`<option value=${unit} selected=${unit === plug?.unit}>${unitName(unit)}</option>`)}</select><//>
  <${Field} label=${t('energy.plug.offAfter')} hint=${t('energy.plug.offAfter.hint')}><input name="off_after" type="number" min="5" max="1440"
    defaultValue=${plug?.off_after_min ?? ''} /><//>`

/**
 * @param {{ plug?: any, own?: any, printers: string[], hasBroker: boolean, onClose: () => void,
 *   onDone: () => Promise<void> }} props
 */
export function PlugDialog ({ plug, own, printers, hasBroker, onClose, onDone }) {
  const [kind, setKind] = useState(plug?.kind ?? KINDS[0])
  const [said, setSaid] = useState({ text: '', tone: '' })
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const isSame = kind === plug?.kind
  const given = form => ({
    kind,
    settings: settingsIn(kind, form),
    ...HTTP.has(kind) && textOf(form, 'password') !== '' && { password: textOf(form, 'password') }
  })
  const test = async event => {
    const { form } = event.currentTarget
    if (!form.reportValidity()) return
    setSaid({ text: t('energy.testing'), tone: '' })
    try {
      const found = await call('POST', 'energy/plugs/test', { ...given(new FormData(form)), ...plug && { id: plug.id } }, { waitMs: 30_000 })
      setSaid({ text: testedText(found), tone: 'good' })
    } catch (error) {
      setSaid({ text: problemText(error), tone: 'bad' })
    }
  }
  const save = async event => {
    event.preventDefault()
    if (runs) return
    setRuns(true)
    const form = new FormData(event.currentTarget)
    const number = name => textOf(form, name) === '' ? null : Number(textOf(form, name))
    const change = {
      name: textOf(form, 'name'),
      ...given(form),
      printer: textOf(form, 'printer'),
      unit: number('unit'),
      on_for_jobs: form.get('for_jobs') !== null,
      off_after_min: number('off_after')
    }
    try {
      if (plug) await call('PATCH', 'energy/plugs', { id: plug.id, ...change })
      else await call('POST', 'energy/plugs', change)
      onClose()
      await onDone()
    } catch (error) {
      setProblem(problemText(error))
      setRuns(false)
    }
  }
  return html`<${Dialog} wide title=${plug ? t('energy.edit.of', { name: plug.name }) : t('energy.add')} onClose=${onClose}>
    <form class="edit" onSubmit=${save}>
      <div class="fields"><${Field} label=${t('energy.plug.name')}><input name="name" required maxlength="40" autocomplete="off" defaultValue=${plug?.name ?? ''} /><//>
      <${Field} label=${t('energy.plug.kind')}><select onChange=${({ currentTarget }) => { setKind(currentTarget.value); setSaid({ text: '', tone: '' }) }}>
        ${KINDS.map(one => html`<option value=${one} selected=${one === kind}>${t(`energy.kind.${one}`)}</option>`)}</select><//></div>
      <p class="note">${t(`energy.guide.${kind}`)}</p>
      ${!HTTP.has(kind) && !hasBroker && html`<p class="note warn">${t('energy.broker.none')}
        ${hasPage('homeassistant') && html` <a href=${linkTo('homeassistant')}>${t('energy.broker.set')}</a>`}</p>`}
      <div class="fields" key=${kind}>${SETTINGS[kind].map(name => html`<${Setting} key=${name} name=${name} kind=${kind} value=${isSame ? own?.settings[name] : undefined} />`)}
        ${HTTP.has(kind) && html`<${Field} label=${t('energy.plug.password')} hint=${t(isSame && own?.has_password ? 'energy.plug.password.saved' : 'energy.plug.optional')}>
          <input name="password" type="password" maxlength="200" autocomplete="new-password" /><//>`}</div>
      <div class="buttons"><button type="button" onClick=${test}>${t('energy.test')}</button></div>
      <p class=${`note ${said.tone}`} role="status" hidden=${said.text === ''}>${said.text}</p>
      <div class="fields"><${Choices} plug=${plug} printers=${printers} /></div>
      <label class="check"><input type="checkbox" name="for_jobs" defaultChecked=${plug?.on_for_jobs === true} /> <span>${t('energy.plug.forJobs')}</span></label>
      <p class="note bad" role="alert" hidden=${problem === ''}>${problem}</p>
      <div class="buttons end"><button type="button" onClick=${onClose}>${t('energy.cancel')}</button><button class="primary" disabled=${runs}>${t('energy.save')}</button></div>
    </form><//>`
}
