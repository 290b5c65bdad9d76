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

  worker.addEventListener('notificationclick', event => {
    const { printer } = event.notification.data ?? {}
    event.notification.close()
    const address = pageAt(printer ? `printer?printer=${encodeURIComponent(printer)}` : './')
    event.waitUntil(worker.clients.matchAll({ type: 'window' }).then(async windows => {
      const open = windows.find(({ url }) => url.startsWith(worker.registration.scope))
      if (open === undefined) return await worker.clients.openWindow(address)
      await open.focus()
      await open.navigate(address)
    }))
  })
}
