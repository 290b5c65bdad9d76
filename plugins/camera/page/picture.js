// The camera's picture: video where camera and browser support it, else a multipart stream of JPEGs. That is parsed
// here rather than shown by an image element so that the page knows when a picture arrived.

import { $, put, show } from './dom.js'
import { createParser } from './multipart.js'
import { canPlay, NoVideoError, play } from './player.js'
import { t } from './texts.js'

const AGAIN_MS = 1000
const NO_PICTURE_MS = 15000
const STALE_MS = 6000

const TROUBLE = {
  TypeError: t('no_server'),
  AbortError: t('no_picture')
}

const nap = ms => new Promise(resolve => setTimeout(resolve, ms))
const asked = new URLSearchParams(location.search)

const view = /** @type {Element} */ (document.querySelector('.view'))
const canvas = $('picture')
const video = $('video')
const context = canvas.getContext('2d', { alpha: false })
let pictureAt = 0
let trouble = ''
let problem
let drawing = false
let next

const draw = async bytes => {
  if (document.hidden) return
  if (drawing) { next = bytes; return }
  drawing = true
  try {
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width
      canvas.height = image.height
    }
    context.drawImage(image, 0, 0)
    image.close()
  } catch {} // a picture that cannot be drawn is followed by another one
  drawing = false
  const waiting = next
  next = undefined
  if (waiting) draw(waiting)
}

const streamAddress = () => {
  const query = new URLSearchParams()
  for (const name of ['resolution', 'quality']) if (asked.has(name)) query.set(name, asked.get(name) ?? '')
  return 'stream' + (query.size > 0 ? '?' + query : '')
}

const readStream = async () => {
  const controller = new AbortController()
  let timer
  const expect = () => { clearTimeout(timer); timer = setTimeout(() => controller.abort(), NO_PICTURE_MS) }
  expect()
  try {
    const response = await fetch(streamAddress(), { cache: 'no-store', signal: controller.signal })
    if (!response.ok) {
      const { reason, detail } = await response.json().catch(() => ({}))
      throw new Error(detail || reason || 'HTTP ' + response.status)
    }
    const parse = createParser(bytes => {
      pictureAt = performance.now()
      trouble = ''
      expect()
      draw(bytes)
    })
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parse(value)
    }
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}

/** A custom size or quality is only available as JPEGs. */
let wantsVideo = document.body.dataset.video !== '' && canPlay && !asked.has('resolution') && !asked.has('quality')

const playVideo = () => play(video, 'stream.mp4', () => {
  pictureAt = performance.now()
  trouble = ''
  show(video, true)
  show(canvas, false)
}, new AbortController().signal)

const showCamera = async () => {
  if (!wantsVideo) return await readStream()
  try {
    await playVideo()
  } catch (error) {
    if (!(error instanceof NoVideoError)) throw error
    wantsVideo = false
    show(video, false)
    show(canvas, true)
    await readStream()
  }
}

/** Shows the camera for the lifetime of the page. */
export const watch = async () => {
  if (wantsVideo) video.poster = 'snapshot'
  for (;;) {
    try {
      await showCamera()
      trouble = t('interrupted')
    } catch (error) {
      trouble = TROUBLE[error.name] ?? error.message
    }
    await nap(AGAIN_MS)
  }
}

/** Whether a picture arrived recently. */
export const hasPicture = () => pictureAt !== 0 && performance.now() - pictureAt <= NO_PICTURE_MS

/** Marks a stale picture. */
export const noteStale = () => {
  const age = performance.now() - pictureAt
  const stale = pictureAt === 0 || age > STALE_MS
  view.classList.toggle('stale', stale && pictureAt !== 0)
  show($('notice'), stale)
  if (!stale) return
  const why = problem || trouble
  const waiting = t(pictureAt === 0 ? 'connecting' : 'waiting')
  put($('notice'), why ? t('again', { why }) : waiting)
}

/** @param {string | null | undefined} text the service's message about the camera */
export const noteProblem = text => {
  problem = text
  noteStale()
}
