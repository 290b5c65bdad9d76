// Live events of the service.

const RETRY_MS = [1_000, 2_000, 5_000, 15_000]
/** The service speaks every 15 s; a connection that was cut without a word stays open for ever. */
const SILENT_MS = 45_000

const addressOf = (topics, printer) => {
  const base = document.querySelector('.rail .brand')?.getAttribute('href') ?? './'
  const address = new URL(`${base}api/live`, document.baseURI)
  address.protocol = address.protocol.replace('http', 'ws')
  address.searchParams.set('topics', topics.join(','))
  address.searchParams.set('heartbeat', 'true')
  if (printer !== undefined) address.searchParams.set('printer', printer)
  return address
}

/**
 * Follows topics of the live stream while the page is visible, and reconnects when the connection is lost.
 * @typedef {{ topic: string, printer: string, at: string, data: any }} Message
 * @param {{ topics: readonly string[], printer?: string, onMessage: (message: Message) => void,
 *   onLink?: (isOpen: boolean) => void, onMissed?: () => void }} what
 *   `onMissed`: connected again, after a time in which messages may have been missed
 * @returns {() => void} stops following
 */
export function follow ({ topics, printer, onMessage, onLink = () => {}, onMissed = () => {} }) {
  /** @type {WebSocket | undefined} */
  let socket
  let tries = 0
  let retry = 0
  let silence = 0
  let wasOpen = false

  function leave () {
    clearTimeout(retry)
    clearTimeout(silence)
    if (!socket) return
    socket.onclose = socket.onmessage = null
    socket.close()
    socket = undefined
  }

  function heard () {
    clearTimeout(silence)
    silence = setTimeout(() => { onLink(false); connect() }, SILENT_MS)
  }

  function connect () {
    leave()
    if (document.hidden) return
    socket = new WebSocket(addressOf(topics, printer))
    socket.onopen = () => {
      tries = 0
      heard()
      onLink(true)
      if (wasOpen) onMissed()
      wasOpen = true
    }
    socket.onmessage = ({ data }) => {
      heard()
      const message = JSON.parse(data)
      if (message.topic !== 'heartbeat') onMessage(message)
    }
    socket.onclose = () => {
      clearTimeout(silence)
      onLink(false)
      retry = setTimeout(connect, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)])
    }
  }

  document.addEventListener('visibilitychange', connect)
  connect()
  return () => {
    document.removeEventListener('visibilitychange', connect)
    leave()
  }
}
