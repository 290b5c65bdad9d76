{
  // Takes a file that another application shares with this one, and shows where it can be printed.

  const worker = /** @type {any} */ (globalThis)
  const STORE = 'file'

  const pageAt = path => new URL(path, worker.registration.scope).href

  /** Stores the file where the page looks for it (handed-file.js). @param {File} file @returns {Promise<void>} */
  const store = file => new Promise((resolve, reject) => {
    const request = globalThis.indexedDB.open('prnd-handed-file', 1)
    request.onerror = () => reject(request.error)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => {
      const transaction = request.result.transaction(STORE, 'readwrite')
      transaction.objectStore(STORE).put(file, STORE)
      transaction.oncomplete = () => { request.result.close(); resolve() }
      transaction.onerror = () => { request.result.close(); reject(transaction.error) }
    }
  })

  /** @param {Request} request */
  async function take (request) {
    try {
      const file = (await request.formData()).get('file')
      if (file instanceof File) await store(file)
      return Response.redirect(pageAt('share'), 303)
    } catch {
      return Response.redirect(pageAt('share?failed'), 303) // a private window keeps nothing, and disks are full
    }
  }

  worker.addEventListener('fetch', event => {
    const { request } = event
    if (request.method !== 'POST' || request.url !== pageAt('share')) return
    event.respondWith(take(request))
  })
}
