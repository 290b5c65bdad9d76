// Plays a camera's live video: fragmented MP4 over a WebSocket into a video element.

const Source = globalThis.ManagedMediaSource ?? globalThis.MediaSource
/** Whether this browser supports Media Source Extensions and WebSockets. */
export const canPlay = Source !== undefined && globalThis.WebSocket !== undefined

/** Retrying does not help; the page should fall back to JPEGs. */
export class NoVideoError extends Error {}

const FOLLOW_MS = 250
/** Target delay behind the newest picture, s; with less, playback stalls at every late picture. */
const BEHIND = 0.12
/** Delays beyond which playback speeds up, or jumps, s. */
const SLOW_BEHIND = 0.35
const FAR_BEHIND = 1.5
const CATCH_UP = 1.08
/** Played video that stays in memory, s. */
const BUFFERED_S = 10
const UNSUPPORTED = 1003
/** A connection that was cut without a word stays open for ever: nothing is sent that would fail. */
const NO_PICTURE_MS = 15_000

const noPicture = () => Object.assign(new Error('No picture has arrived for a while.'), { name: 'AbortError' })

const addressOf = path => {
  const address = new URL(path, document.baseURI)
  address.protocol = address.protocol.replace('http', 'ws')
  return address
}

/** Joins the chunks that arrived while the buffer was busy. @param {ArrayBuffer[]} pieces */
const joined = pieces => pieces.length === 1 ? pieces[0] : new Blob(pieces).arrayBuffer()

/** The video in memory. A source buffer takes one chunk at a time, so further ones are queued here. */
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
   * @param {(error: unknown) => void} onError when the browser rejects a chunk
   */
  constructor (source, video, onError) {
    this.#source = source
    this.#video = video
    this.#onError = onError
  }

  /** Starts chunks of another type. @param {string} type */
  begin (type) {
    this.#type = type
    this.#pieces = []
    this.open()
  }

  /** Does nothing until the source is open and a type is known. */
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

  /** Frees the memory of played video. */
  #removeOld (buffer) {
    if (buffer.buffered.length === 0) return
    const until = this.#video.currentTime - BUFFERED_S
    if (until - buffer.buffered.start(0) < BUFFERED_S) return
    this.#isBusy = true
    buffer.remove(0, until)
  }
}

/** Stays close to the newest picture and jumps over gaps. @param {HTMLVideoElement} video */
const follow = video => {
  const { buffered } = video
  if (buffered.length === 0 || document.hidden) return
  const [from, until] = [buffered.start(buffered.length - 1), buffered.end(buffered.length - 1)]
  const behind = until - video.currentTime
  const isOff = behind > FAR_BEHIND || behind < 0 || video.currentTime < from
  if (isOff) video.currentTime = Math.max(from, until - BEHIND)
  video.playbackRate = behind > SLOW_BEHIND ? CATCH_UP : 1
  if (video.paused) video.play().catch(() => {}) // a browser that forbids autoplay shows the first picture
}

/**
 * @param {HTMLVideoElement} video
 * @param {string} path of `stream.mp4`, relative to the page
 * @param {() => void} onPicture called for every picture that arrives
 * @param {AbortSignal} signal ends playback
 * @returns {Promise<never>} rejects when it ends: `NoVideoError` where only JPEGs can be shown, `AbortError` when no
 *   picture arrives any more
 */
export const play = (video, path, onPicture, signal) => new Promise((_resolve, reject) => {
  const source = new Source()
  const address = URL.createObjectURL(source)
  const socket = new WebSocket(addressOf(path))
  socket.binaryType = 'arraybuffer'
  let wasOpen = false
  let isOver = false
  let patience = 0

  const end = error => {
    if (isOver) return
    isOver = true
    buffer.close()
    clearInterval(timer)
    clearTimeout(patience)
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

  const expect = () => {
    clearTimeout(patience)
    patience = setTimeout(() => end(noPicture()), NO_PICTURE_MS)
  }

  const begin = type => {
    if (Source.isTypeSupported(type)) buffer.begin(type)
    else end(new NoVideoError('This browser cannot play ' + type))
  }

  socket.onopen = () => { wasOpen = true }
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') return begin(JSON.parse(data).type)
    expect()
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
  video.disableRemotePlayback = true // without this, Safari keeps its managed source closed
  video.src = address
  expect()
})
