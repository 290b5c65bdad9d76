{
  // Without a network: the pages that were seen before, with the answers that the service gave last.

  const worker = /** @type {any} */ (globalThis)
  /** Folders of the pages' files, set by the service; their names change with the files. @type {string[]} */
  const FOLDERS = worker.SHELL_FOLDERS
  const FILES = `prnd ${FOLDERS.join(' ')}`
  const SEEN = `prnd seen ${FOLDERS.join(' ')}`
  /** Pages and answers that are kept; the oldest goes first. */
  const MOST_SEEN = 60
  const LATE_MS = 8_000
  /** A page of its own; streams, files and the interface's documents are deeper. */
  const PAGE = /^[a-z-]*$/
  const NO_PAGES = new Set(['login', 'logout', 'authorize', 'explorer', 'mcp', 'plugins', 'metrics'])
  const LOGINS = /^log(out|in|in\/passkey)$/
  /** A login elsewhere begins and ends with a link. */
  const OPENID = /^login\/openid(\/|$)/
  /**
   * What pages show of the past. Nothing of it is a picture or a secret. Not the state of one printer, which its page
   * follows by messages: an answer of hours ago would replace what it was told a moment ago.
   */
  const ANSWERS = /^api\/(fleet|fleet\/summary|queue\/board|history|spools|spools\/inventory|alert_log)$/

  /** Path below the service's own. @param {URL} url */
  const placeOf = url => url.href.startsWith(worker.registration.scope)
    ? url.pathname.slice(new URL(worker.registration.scope).pathname.length)
    : undefined

  /** @param {string} place */
  const isFile = place => FOLDERS.some(folder => place.startsWith(`${folder}/`))
  /** @param {string} place */
  const isPage = place => PAGE.test(place) && !NO_PAGES.has(place)

  /** Documents of a page differ by printer in links only. @param {URL} url */
  const keyOf = url => isPage(placeOf(url) ?? '') ? `${url.origin}${url.pathname}` : url.href

  /** Counts the users: what was asked for by one is not stored for the next. */
  let users = 0

  async function forget () {
    users++
    for (const name of await worker.caches.keys()) await worker.caches.delete(name)
  }

  /** @param {string} key @param {Response} response @param {number} user who asked */
  async function remember (key, response, user) {
    const blob = await response.blob()
    if (user !== users) return
    const headers = new Headers(response.headers)
    headers.set('x-prnd-seen', new Date().toISOString())
    const cache = await worker.caches.open(SEEN)
    await cache.delete(key) // so that the order is by age
    await cache.put(key, new Response(blob, { headers }))
    const keys = await cache.keys()
    for (const old of keys.slice(0, Math.max(0, keys.length - MOST_SEEN))) await cache.delete(old)
  }

  /** @param {Request} request what was seen last; the home page for a page that was never seen */
  async function lastSeen (request) {
    const others = request.mode === 'navigate' ? ['', 'fleet'].map(path => worker.registration.scope + path) : []
    for (const address of [keyOf(new URL(request.url)), ...others]) {
      const stored = await worker.caches.match(address)
      if (stored !== undefined) return stored
    }
  }

  /** The service's answer; the last one if there is none, or none in time. @param {any} event */
  async function freshOr (event) {
    const { request } = event
    const user = users
    const answer = fetch(request).then(response => {
      if (response.status === 401) event.waitUntil(forget()) // another user may come
      else if (response.ok) event.waitUntil(remember(keyOf(new URL(request.url)), response.clone(), user))
      return response
    })
    const late = new Promise(resolve => setTimeout(resolve, LATE_MS)).then(() => lastSeen(request))
    try {
      return await Promise.race([answer, late.then(stored => stored ?? answer)])
    } catch (error) {
      const stored = await lastSeen(request)
      if (stored === undefined) throw error
      return stored
    }
  }

  /** @param {any} event */
  async function storedOr (event) {
    const stored = await worker.caches.match(event.request)
    if (stored !== undefined) return stored
    const response = await fetch(event.request)
    const copy = response.clone()
    if (response.ok) event.waitUntil(worker.caches.open(FILES).then(cache => cache.put(event.request, copy)))
    return response
  }

  worker.addEventListener('install', () => worker.skipWaiting())
  worker.addEventListener('activate', event => {
    event.waitUntil(worker.caches.keys().then(names =>
      Promise.all(names.filter(name => name !== FILES && name !== SEEN).map(name => worker.caches.delete(name)))))
  })

  worker.addEventListener('fetch', event => {
    const { request } = event
    const url = new URL(request.url)
    const place = placeOf(url)
    if (place === undefined) return
    // Another user may log in without the one before logging out.
    if (request.method === 'POST' ? LOGINS.test(place) : OPENID.test(place)) event.waitUntil(forget())
    if (request.method !== 'GET') return
    if ((request.mode === 'navigate' && isPage(place)) || ANSWERS.test(place)) event.respondWith(freshOr(event))
    else if (isFile(place)) event.respondWith(storedOr(event))
  })

  // The first page was loaded before there was a worker: it names what it needs.
  worker.addEventListener('message', event => {
    const wanted = Array.isArray(event.data?.seen) ? event.data.seen : []
    const places = new Map(wanted.map(address => [address, placeOf(new URL(address)) ?? 'api']))
    event.waitUntil(Promise.all([...places].map(async ([address, place]) => {
      if (!isFile(place) && !isPage(place) && !ANSWERS.test(place)) return
      const response = await fetch(address).catch(() => undefined)
      if (!response?.ok || response.redirected) return
      if (isFile(place)) await (await worker.caches.open(FILES)).put(address, response)
      else await remember(keyOf(new URL(address)), response, users)
    })))
  })
}
