// Starts the service worker, which shows messages, takes shared files, and shows pages without a network.

import { shell } from './shell.js'

/** The endpoint to which the service sends messages for this browser. */
const ENDPOINT = 'prnd-push'

/**
 * Has a subscription that the browser has renewed, or lost, registered again.
 * @param {ServiceWorkerRegistration} ready
 */
async function checkMessages ({ active, pushManager }) {
  const known = localStorage.getItem(ENDPOINT)
  if (known === null || !pushManager || window.Notification.permission !== 'granted') return
  const subscription = await pushManager.getSubscription()
  if (subscription?.endpoint !== known) active?.postMessage({ renew: known })
}

async function start () {
  const { serviceWorker } = navigator
  serviceWorker.addEventListener('message', ({ data }) => {
    if (typeof data?.subscribed === 'string') localStorage.setItem(ENDPOINT, data.subscribed)
  })
  await serviceWorker.register(`${shell.base}sw.js`)
  await checkMessages(await serviceWorker.ready).catch(() => {}) // a browser may forbid storage
  if (serviceWorker.controller !== null) return
  const { active } = await serviceWorker.ready
  active?.postMessage({ seen: [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)] })
}

// Browsers have service workers on localhost and with HTTPS only; some refuse them in private windows.
if ('serviceWorker' in navigator) window.addEventListener('load', () => { start().catch(() => {}) })
