{
  // Without a network: the pages that were seen before, with the answers that the service gave last.

  const worker = /** @type {any} */ (globalThis)
  /** Folders of the pages' files, set by the service; their names change with the files. @type {string[]} */
  const FOLDERS = worker.SHELL_FOLDERS
  const CACHE = `prnd ${FOLDERS.join(' ')}`
  const LATE_MS = 8_000
  /** What pages show of the past. Nothing of it is a picture or a secret. */
  const ANSWERS = /^api\/(fleet|fleet\/summary|queue|history|spools|alerts|printer_state)$/

  /** Path below the service's own. @param {URL} url */
  const placeOf = url => url.href.startsWith(worker.registration.scope)
    ? url.pathname.slice(new URL(worker.registration.scope).pathname.length)
    : undefined

  /** @param {string} place */
  const isFile = place => FOLDERS.some(folder => place.startsWith(`${folder}/`))

  /** Documents of a page differ by printer in links only. @param {URL} url */
  const keyOf = url => isFile(placeOf(url) ?? '') || ANSWERS.test(placeOf(url) ?? '') ? url.href : `${url.origin}${url.pathname}`

  const forget = async () => { for (const name of await worker.caches.keys()) await worker.caches.delete(name) }

  /** @param {string} key @param {Response} response */
  async function remember (key, response) {
    const headers = new Headers(response.headers)
    headers.set('x-prnd-seen', new Date().toISOString())
    const cache = await worker.caches.open(CACHE)
    await cache.put(key, new Response(await response.blob(), { headers }))
  }

  /** @param {Request} request */
  const inTime = request => fetch(request, { signal: AbortSignal.timeout(LATE_MS) })

  /**
   * The service's answer, or the one that it gave last; the home page for a page that was never seen.
   * @param {any} event
   */
  async function freshOr (event) {
    const { request } = event
    const key = keyOf(new URL(request.url))
    try {
      const response = await inTime(request)
      if (response.status === 401 || response.redirected) event.waitUntil(forget()) // another user may come
      else if (response.ok) event.waitUntil(remember(key, response.clone()))
      return response
    } catch (error) {
      const others = request.mode === 'navigate' ? ['', 'fleet'].map(path => worker.registration.scope + path) : []
      for (const address of [key, ...others]) {
        const stored = await worker.caches.match(address)
        if (stored !== undefined) return stored
      }
      throw error
    }
  }

  /** @param {any} event */
  async function storedOr (event) {
    const stored = await worker.caches.match(event.request)
    if (stored !== undefined) return stored
    const response = await fetch(event.request)
    const copy = response.clone()
    if (response.ok) event.waitUntil(worker.caches.open(CACHE).then(cache => cache.put(event.request, copy)))
    return response
  }

  worker.addEventListener('install', () => worker.skipWaiting())
  worker.addEventListener('activate', event => {
    event.waitUntil(worker.caches.keys().then(names =>
      Promise.all(names.filter(name => name !== CACHE).map(name => worker.caches.delete(name)))))
  })

  worker.addEventListener('fetch', event => {
    const { request } = event
    const url = new URL(request.url)
    const place = placeOf(url)
    if (place === undefined) return
    if (request.method === 'POST' && place === 'logout') event.waitUntil(forget())
    if (request.method !== 'GET') return
    const isPage = request.mode === 'navigate' && !place.startsWith('api/') && place !== 'login'
    if (isPage || ANSWERS.test(place)) event.respondWith(freshOr(event))
    else if (isFile(place)) event.respondWith(storedOr(event))
  })

  // The first page was loaded before there was a worker: it names what it needs.
  worker.addEventListener('message', event => {
    const wanted = Array.isArray(event.data?.seen) ? event.data.seen : []
    const mine = wanted.filter(address => placeOf(new URL(address)) !== undefined)
    event.waitUntil(Promise.all(mine.map(async address => {
      const response = await fetch(address).catch(() => undefined)
      if (response?.ok && !response.redirected) await remember(keyOf(new URL(address)), response)
    })))
  })
}
