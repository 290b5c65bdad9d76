// Plays the video of a camera as it comes: fragmented MP4 over a WebSocket into a video element.

const Source = globalThis.ManagedMediaSource ?? globalThis.MediaSource
/** Whether this browser takes video piece by piece. */
export const canPlay = Source !== undefined && globalThis.WebSocket !== undefined

/** Trying again does not help, but pictures may. */
export class NoVideoError extends Error {}

const FOLLOW_MS = 250
/** How far behind the newest picture it plays, s: with less it stops at every picture that is late. */
const BEHIND = 0.12
/** From here it plays a little faster, from there it jumps, s. */
const SLOW_BEHIND = 0.35
const FAR_BEHIND = 1.5
const CATCH_UP = 1.08
/** Video before the shown position that stays in memory, s. */
const BUFFERED_S = 10
const UNSUPPORTED = 1003

const addressOf = path => {
  const address = new URL(path, document.baseURI)
  address.protocol = address.protocol.replace('http', 'ws')
  return address
}

/** Pieces that came while the buffer was busy, as one. @param {ArrayBuffer[]} pieces */
const joined = pieces => pieces.length === 1 ? pieces[0] : new Blob(pieces).arrayBuffer()

/** The video in memory. A source buffer takes one piece at a time, so that others wait here. */
class VideoBuffer {
  #source
  #video
  #onError
  /** @type {SourceBuffer | undefined} */
  #buffer
  #pieces = []
  #type = ''
  #appendedType = ''
  #isBusy = false
  #isClosed = false

  /**
   * @param {MediaSource} source of the video element
   * @param {HTMLVideoElement} video
   * @param {(error: unknown) => void} onError when the browser refuses a piece
   */
  constructor (source, video, onError) {
    this.#source = source
    this.#video = video
    this.#onError = onError
  }

  /** Pieces of another type follow. @param {string} type */
  begin (type) {
    this.#type = type
    this.#pieces = []
    this.open()
  }

  /** Does nothing until both the source is open and a type is known. */
  open () {
    if (this.#isClosed || this.#buffer !== undefined || this.#type === '' || this.#source.readyState !== 'open') return
    const buffer = this.#source.addSourceBuffer(this.#type)
    buffer.onupdateend = () => { this.#isBusy = false; this.#fill() }
    this.#buffer = buffer
    this.#appendedType = this.#type
    this.#fill()
  }

  /** @param {ArrayBuffer} piece */
  add (piece) {
    this.#pieces.push(piece)
    this.#fill()
  }

  close () {
    this.#isClosed = true
  }

  async #fill () {
    const buffer = this.#buffer
    if (buffer === undefined || this.#isBusy || this.#isClosed) return
    if (this.#pieces.length === 0) return this.#removeOld(buffer)
    this.#isBusy = true
    const type = this.#type
    const bytes = await joined(this.#pieces.splice(0))
    if (this.#isClosed) return
    try {
      if (type !== this.#appendedType) buffer.changeType(type)
      this.#appendedType = type
      buffer.appendBuffer(bytes)
    } catch (error) {
      this.#onError(error)
    }
  }

  /** Frees the memory of video that was played. */
  #removeOld (buffer) {
    if (buffer.buffered.length === 0) return
    const until = this.#video.currentTime - BUFFERED_S
    if (until - buffer.buffered.start(0) < BUFFERED_S) return
    this.#isBusy = true
    buffer.remove(0, until)
  }
}

/** Stays close to the newest picture, and leaps over what is missing. @param {HTMLVideoElement} video */
const follow = video => {
  const { buffered } = video
  if (buffered.length === 0 || document.hidden) return
  const [from, until] = [buffered.start(buffered.length - 1), buffered.end(buffered.length - 1)]
  const behind = until - video.currentTime
  const isOff = behind > FAR_BEHIND || behind < 0 || video.currentTime < from
  if (isOff) video.currentTime = Math.max(from, until - BEHIND)
  video.playbackRate = behind > SLOW_BEHIND ? CATCH_UP : 1
  if (video.paused) video.play().catch(() => {}) // a browser that forbids it shows the first picture
}

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
  let wasOpen = false
  let isOver = false

  const end = error => {
    if (isOver) return
    isOver = true
    buffer.close()
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
  const buffer = new VideoBuffer(source, video, end)
  const timer = setInterval(() => follow(video), FOLLOW_MS)

  const begin = type => {
    if (Source.isTypeSupported(type)) buffer.begin(type)
    else end(new NoVideoError('This browser cannot play ' + type))
  }

  socket.onopen = () => { wasOpen = true }
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') return begin(JSON.parse(data).type)
    onPicture()
    buffer.add(data)
    if (video.paused) follow(video)
  }
  socket.onclose = ({ code, reason }) => {
    if (code === UNSUPPORTED || !wasOpen) end(new NoVideoError(reason || 'The video cannot be reached.'))
    else end(new Error(reason || 'The video was interrupted.'))
  }
  video.onerror = () => end(new Error('The video cannot be shown: ' + video.error?.message))
  source.onsourceopen = () => buffer.open()
  signal.addEventListener('abort', abort, { once: true })
  video.disableRemotePlayback = true // without which Safari keeps its managed source closed
  video.src = address
})
