// Plays the video of a camera as it comes: fragmented MP4 over a WebSocket into a video element.

const Source = globalThis.ManagedMediaSource ?? globalThis.MediaSource
/** Whether this browser takes video piece by piece. */
export const canPlay = Source !== undefined && globalThis.WebSocket !== undefined

/** Said when trying again does not help, but pictures may. */
export class NoVideoError extends Error {}

const LOOK_MS = 250
/** How far behind the newest picture it plays, s: with less it stops at every picture that is late. */
const BEHIND = 0.12
/** From here it plays a little faster, from there it jumps, s. */
const SLOW_BEHIND = 0.35
const FAR_BEHIND = 1.5
const CATCH_UP = 1.08
const KEPT_S = 10
const UNSUPPORTED = 1003

const addressOf = path => {
  const address = new URL(path, document.baseURI)
  address.protocol = address.protocol.replace('http', 'ws')
  return address
}

/** Pieces that came while the buffer was busy, as one. @param {ArrayBuffer[]} pieces */
const joined = pieces => pieces.length === 1 ? pieces[0] : new Blob(pieces).arrayBuffer()

/**
 * @param {HTMLVideoElement} video
 * @param {string} path of `stream.mp4`, seen from the page
 * @param {() => void} onPicture whenever one came
 * @param {AbortSignal} signal ends it
 * @returns {Promise<never>} rejects when it ends: `NoVideoError` where only pictures can be shown
 */
export const play = (video, path, onPicture, signal) => new Promise((_resolve, reject) => {
  const source = new Source()
  const address = URL.createObjectURL(source)
  const socket = new WebSocket(addressOf(path))
  socket.binaryType = 'arraybuffer'
  /** @type {SourceBuffer | undefined} */
  let buffer
  let pieces = []
  let type = ''
  let filledWith = ''
  let isBusy = false
  let wasOpen = false
  let isOver = false

  const end = error => {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    signal.removeEventListener('abort', abort)
    socket.onmessage = socket.onclose = null
    socket.close()
    video.onerror = null
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(address)
    reject(error)
  }
  const abort = () => end(signal.reason)

  const begin = wanted => {
    if (!Source.isTypeSupported(wanted)) return end(new NoVideoError('This browser cannot play ' + wanted))
    type = wanted
    pieces = []
    open()
  }

  const open = () => {
    if (isOver || buffer !== undefined || type === '' || source.readyState !== 'open') return
    const fresh = source.addSourceBuffer(type)
    fresh.onupdateend = () => { isBusy = false; fill() }
    buffer = fresh
    filledWith = type
    fill()
  }

  /** What was played long ago is let go. */
  const forget = () => {
    if (buffer === undefined || isBusy || buffer.buffered.length === 0) return
    const until = video.currentTime - KEPT_S
    if (until - buffer.buffered.start(0) < KEPT_S) return
    isBusy = true
    buffer.remove(0, until)
  }

  const fill = async () => {
    if (buffer === undefined || isBusy || isOver || pieces.length === 0) return forget()
    isBusy = true
    const given = type
    const bytes = await joined(pieces.splice(0))
    if (isOver || buffer === undefined) return
    try {
      if (given !== filledWith) buffer.changeType(given)
      filledWith = given
      buffer.appendBuffer(bytes)
    } catch (error) {
      end(error)
    }
  }

  /** Stays close to the newest picture, and leaps over what is missing. */
  const follow = () => {
    const { buffered } = video
    if (buffered.length === 0 || document.hidden) return
    const [from, until] = [buffered.start(buffered.length - 1), buffered.end(buffered.length - 1)]
    const behind = until - video.currentTime
    const isOff = behind > FAR_BEHIND || behind < 0 || video.currentTime < from
    if (isOff) video.currentTime = Math.max(from, until - BEHIND)
    video.playbackRate = behind > SLOW_BEHIND ? CATCH_UP : 1
    if (video.paused) video.play().catch(() => {}) // a browser that forbids it shows the first picture
  }
  const timer = setInterval(follow, LOOK_MS)

  socket.onopen = () => { wasOpen = true }
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') return begin(JSON.parse(data).type)
    pieces.push(data)
    onPicture()
    fill()
    if (video.paused) follow()
  }
  socket.onclose = ({ code, reason }) => {
    if (code === UNSUPPORTED || !wasOpen) end(new NoVideoError(reason || 'The video cannot be reached.'))
    else end(new Error(reason || 'The video was interrupted.'))
  }
  video.onerror = () => end(new Error('The video cannot be shown: ' + video.error?.message))
  source.onsourceopen = open
  signal.addEventListener('abort', abort, { once: true })
  video.disableRemotePlayback = true // without which Safari keeps its managed source closed
  video.src = address
})
