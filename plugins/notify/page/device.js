// Messages to this browser: subscribing, and the devices of the user.

import { useState } from 'preact/hooks'
import { call, dateTime, shell, t } from 'shell'
import { html, problemWords } from './lib.js'

const hasPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
/** Safari on phones offers messages only to pages on the home screen. */
const isPhoneOfApple = /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Why this browser cannot get messages; empty if it can. */
function obstacle (mayAdd) {
  if (!mayAdd) return t('messages.device.login')
  if (!window.isSecureContext) return t('messages.device.https')
  if (!hasPush) return t(isPhoneOfApple ? 'messages.device.home' : 'messages.device.unable')
  return window.Notification.permission === 'denied' ? t('messages.device.denied') : ''
}

const SYSTEMS = [[/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/Windows/, 'Windows'], [/Macintosh/, 'Mac'], [/Linux/, 'Linux']]
const BROWSERS = [[/Edg\//, 'Edge'], [/Firefox\//, 'Firefox'], [/Chrome\//, 'Chrome'], [/Safari\//, 'Safari']]
const nameIn = list => list.find(([pattern]) => pattern.test(navigator.userAgent))?.[1] ?? ''

/** Such as "Chrome Android". */
const deviceName = () => [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(part => part !== '').join(' ') || t('messages.kind.push')

const bytesOf = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), character => character.charCodeAt(0))

/** A subscription of this browser for our key; one for another key is replaced. @param {string} publicKey */
async function subscribe (publicKey) {
  if (await window.Notification.requestPermission() !== 'granted') throw new Error(t('messages.device.denied'))
  await navigator.serviceWorker.register(`${shell.base}sw.js`)
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) }
  return await pushManager.subscribe(options).catch(async error => {
    const old = await pushManager.getSubscription()
    if (old === null) throw error
    await old.unsubscribe()
    return await pushManager.subscribe(options)
  })
}

/** Subscribes, stores, and sends a test message. @returns {Promise<string>} the name of the device */
async function addThis ({ publicKey, usual }) {
  const { endpoint = '', keys } = (await subscribe(publicKey)).toJSON()
  const rule = { alerts: usual, printers: null, attach: 'none', nights: 'wait' }
  const { name } = await call('POST', 'messages/push', {
    name: deviceName(), endpoint, p256dh: keys?.p256dh, auth: keys?.auth, rule
  })
  try { localStorage.setItem('prnd-push', endpoint) } catch { /* then only the browser tells of a renewal */ }
  await call('POST', 'messages/push/test', { name })
  return name
}

const Row = ({ device, onEdit, onRemove }) => html`<li class="row"><div class="row-main"><b>${device.name}</b>
    <small>${t('messages.device.added', { time: dateTime(device.added_at) })}</small>
    ${device.problem !== null && html`<small class="problem">${problemWords(device.problem)}</small>`}</div>
  <div class="row-end"><button type="button" class="small" aria-label=${t('messages.edit.of', { name: device.name })}
      onClick=${onEdit}>${t('messages.edit')}</button>
    <button type="button" class="small quiet" aria-label=${t('messages.remove.of', { name: device.name })}
      onClick=${onRemove}>${t('messages.remove')}</button></div></li>`

/**
 * @param {{ push: any, isFirst: boolean, onEdit: (device: any) => void, onRemove: (device: any) => void,
 *   onDone: () => unknown }} options `isFirst`: there are no places yet
 */
export function ThisDevice ({ push, isFirst, onEdit, onRemove, onDone }) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState(/** @type {{ text: string, tone: string } | null} */ (null))
  const why = obstacle(push.mayAdd)
  const add = async () => {
    setBusy(true)
    setOutcome(null)
    try {
      await addThis(push)
      setOutcome({ text: t('messages.device.tested'), tone: 'good' })
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      setOutcome({ text: t('messages.failed', { reason: problemWords(message) }), tone: 'bad' })
    }
    await onDone()
    setBusy(false)
  }
  return html`<section class="card" aria-labelledby="device-title">
    <header><h2 id="device-title">${t('messages.device')}</h2>
      <button type="button" class=${isFirst ? 'primary' : ''} disabled=${busy || why !== ''} onClick=${add}>${t('messages.device.add')}</button></header>
    <p class="faint">${t('messages.device.text')}</p>
    ${why !== '' && html`<p class="note">${why}</p>`}
    ${outcome && html`<p class=${`note ${outcome.tone}`} role="status">${outcome.text}</p>`}
    ${push.devices.length > 0 && html`<ul class="rows" aria-labelledby="device-title">${push.devices.map(device => html`<${Row}
      key=${device.name} device=${device} onEdit=${() => onEdit(device)} onRemove=${() => onRemove(device)} />`)}</ul>`}
  </section>`
}
