// Starts the service worker, which shows messages, takes shared files, and shows pages without a network.

import { shell } from './shell.js'

async function start () {
  const { serviceWorker } = navigator
  await serviceWorker.register(`${shell.base}sw.js`)
  if (serviceWorker.controller !== null) return
  const { active } = await serviceWorker.ready
  active?.postMessage({ seen: [location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)] })
}

// Browsers have service workers on localhost and with HTTPS only; some refuse them in private windows.
if ('serviceWorker' in navigator) window.addEventListener('load', () => { start().catch(() => {}) })
