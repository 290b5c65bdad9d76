import { addressOf, ApiError, call, has, request, standalone } from './api.js'
import { currentToken } from './token.js'

/**
 * @typedef {object} Listener
 * @property {(doc: any) => void} onState
 * @property {(news: any) => void} onSession
 * @property {(alert: any) => void} onAlert
 * @property {(status: any) => void} onQueue
 * @property {(how: 'live' | 'polling' | 'lost', problem: string) => void} onLink
 */

const POLL_MS = 3_000
const RETRY_MS = [1_000, 2_000, 5_000, 15_000]
/** A connection silent for this long is checked by polling. */
const QUIET_MS = 30_000
/** The service speaks every 15 s; a connection that was cut without a word stays open for ever. */
const SILENT_MS = 45_000
const NOT_MODIFIED = 304

/** @param {string} text of a message @param {Listener} listener */
function take (text, listener) {
  const { topic, data } = JSON.parse(text)
  if (topic === 'state') listener.onState(data)
  else if (topic === 'session') listener.onSession(data)
  else if (topic === 'alerts') listener.onAlert(data)
  else if (topic === 'queue') listener.onQueue(data)
}

const liveAddress = printer => addressOf('api/live', { heartbeat: true, ...(!standalone() && { printer }) })

/** A WebSocket; browsers send no token with one. */
function bySocket (printer, listener, { opened, heard, ended }) {
  const address = new URL(liveAddress(printer), document.baseURI)
  address.protocol = address.protocol.replace('http', 'ws')
  const socket = new WebSocket(address)
  socket.onopen = opened
  socket.onmessage = ({ data }) => { heard(); take(data, listener) }
  socket.onclose = ended
  return () => { socket.onclose = null; socket.close() }
}

/** Server-Sent Events read by fetch, which sends the token. */
function byEvents (printer, listener, { opened, heard, ended }) {
  const abort = new AbortController()
  const read = async () => {
    const response = await request(liveAddress(printer), { signal: abort.signal })
    if (!response.ok || !response.body) throw new ApiError(response.status, 'no events')
    opened()
    let rest = ''
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      heard()
      const lines = (rest + part.value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) take(line.slice(6), listener)
    }
  }
  read().catch(() => {}).then(() => { if (!abort.signal.aborted) ended() })
  return () => abort.abort()
}

/**
 * Follows a printer by pushed events, or by polling when there are none.
 * @param {string} printer @param {Listener} listener
 * @returns {() => void} stops following
 */
export function follow (printer, listener) {
  let closed = false
  let isOpen = false
  let tries = 0
  let heardAt = 0
  let aliveAt = 0
  let retry = 0
  let disconnect = () => {}

  let pushes = 0

  const heard = { ...listener, onState (doc) { heardAt = Date.now(); listener.onState(doc) } }
  const pushed = { ...heard, onState (doc) { pushes++; heard.onState(doc) } }

  const events = {
    opened () { isOpen = true; tries = 0; heardAt = aliveAt = Date.now(); listener.onLink('live', '') },
    heard () { aliveAt = Date.now() },
    ended () {
      isOpen = false
      if (closed) return
      retry = setTimeout(connect, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)])
      void ask()
    }
  }

  function connect () {
    disconnect()
    disconnect = (currentToken() === '' ? bySocket : byEvents)(printer, pushed, events)
  }

  async function ask () {
    const before = pushes
    try {
      const doc = await call('printer')
      if (!closed && doc && pushes === before) heard.onState(doc) // else a newer one was pushed meanwhile
      if (!closed && !isOpen) listener.onLink('polling', '')
    } catch (error) {
      const isThere = error.status === NOT_MODIFIED || error.status >= 400
      if (!closed && !isOpen) listener.onLink(isThere ? 'polling' : 'lost', isThere && error.status !== NOT_MODIFIED ? error.message : '')
      if (!closed && isOpen && !isThere) { disconnect(); events.ended() }
    }
  }

  const timer = setInterval(() => {
    if (document.hidden) return
    if (isOpen && Date.now() - aliveAt > SILENT_MS) { disconnect(); return events.ended() }
    if (!isOpen || Date.now() - heardAt > QUIET_MS) void ask()
  }, POLL_MS)

  void ask()
  connect()
  return () => {
    closed = true
    clearInterval(timer)
    clearTimeout(retry)
    disconnect()
  }
}

/** Names of the printers; one without a name where there is only one. */
export async function listPrinters () {
  if (!has('printers')) return ['']
  const { printers } = await call('printers')
  return printers.map(({ name }) => name)
}
