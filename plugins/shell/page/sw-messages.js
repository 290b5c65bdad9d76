{
  // Shows messages of Web Push, and opens what they are about.

  const worker = /** @type {any} */ (globalThis)
  /** Folder of the shell's files, which the service sets before this script. @type {string} */
  const FOLDER = worker.SHELL_FOLDER

  /** The address of a page of this service. @param {string} path */
  const pageAt = path => new URL(path, worker.registration.scope).href

  /** @param {any} data of the push event */
  function messageIn (data) {
    try {
      const { id = '', title = '', text = '', printer = '' } = data.json()
      return { id: String(id), title: String(title), text: String(text), printer: String(printer) }
    } catch {
      return { id: '', title: 'prnd', text: '', printer: '' }
    }
  }

  worker.addEventListener('push', event => {
    const { id, title, text, printer } = messageIn(event.data)
    const icon = pageAt(`${FOLDER}/icon-192.png`)
    const shown = { body: text, tag: id, icon, badge: icon, data: { printer } }
    event.waitUntil(worker.registration.showNotification(title, shown))
  })

  const bytesOf = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), one => one.charCodeAt(0))

  /**
   * Registers the subscription that the browser has in place of an earlier one, or subscribes again: else the device
   * would fall silent for good. The service keeps name and rule; a device that was removed there is not added again.
   * @param {string | undefined} before the earlier endpoint
   * @param {any} [given] the new subscription, where the browser has made one
   */
  async function renew (before, given) {
    if (before === undefined) return
    const { pushManager } = worker.registration
    const { publicKey, usual } = await (await fetch(pageAt('api/messages/push'))).json()
    const now = given ?? await pushManager.getSubscription() ??
      await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) })
    const { endpoint, keys } = now.toJSON()
    const rule = { alerts: usual, printers: null, attach: 'none', nights: 'wait' }
    const { ok } = await fetch(pageAt('api/messages/push'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Browser', endpoint, p256dh: keys.p256dh, auth: keys.auth, rule, replaces: before })
    })
    // Tried again when a page is opened: somebody else may be logged in now, who does not have this device.
    if (!ok) return
    for (const client of await worker.clients.matchAll({ type: 'window' })) client.postMessage({ subscribed: endpoint })
  }

  worker.addEventListener('pushsubscriptionchange', event => {
    event.waitUntil(renew(event.oldSubscription?.endpoint, event.newSubscription).catch(() => {}))
  })

  // A page knows the endpoint that the service has, if the browser has told nobody of the new one.
  worker.addEventListener('message', event => {
    if (typeof event.data?.renew === 'string') event.waitUntil(renew(event.data.renew).catch(() => {}))
  })

  worker.addEventListener('notificationclick', event => {
    const { printer } = event.notification.data ?? {}
    event.notification.close()
    const address = pageAt(printer ? `printer?printer=${encodeURIComponent(printer)}` : './')
    // Another page may hold a dialogue, an upload or a text that nobody has sent yet.
    event.waitUntil(worker.clients.matchAll({ type: 'window' }).then(async windows =>
      await (windows.find(({ url }) => url.split('#')[0] === address)?.focus() ?? worker.clients.openWindow(address))))
  })
}
