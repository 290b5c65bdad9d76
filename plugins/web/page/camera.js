import { canPlay, NoVideoError, play } from 'camera-player'
import { call, has } from './api.js'
import { Card } from './ui.js'
import { html, useEffect, useRef, useState } from './lib.js'
import { currentToken } from './token.js'

const EVERY_MS = 10_000
const AGAIN_MS = 2_000
const SNAPSHOT = { resolution: '720p', quality: 75 }

/** A picture every few seconds while somebody looks. @param {boolean} on @param {string} printer */
function useSnapshots (on, printer) {
  const [shot, setShot] = useState({ picture: '', problem: '' })
  useEffect(() => {
    if (!on) return
    const abort = new AbortController()
    let timer = 0
    const take = async () => {
      try {
        if (!document.hidden) setShot({ picture: (await call('snapshot', SNAPSHOT, abort)).data_uri, problem: '' })
      } catch (error) {
        if (!abort.signal.aborted) setShot({ picture: '', problem: error.message })
      }
      if (!abort.signal.aborted) timer = setTimeout(take, EVERY_MS)
    }
    void take()
    return () => { abort.abort(); clearTimeout(timer) }
  }, [on, printer])
  return shot
}

/**
 * Where the streams of a printer lie, seen from this page, and whether they are video. Browsers send no token with
 * either: without a login there are pictures only.
 */
function useStreams (printer) {
  const [streams, setStreams] = useState({ path: '', video: false, known: false })
  useEffect(() => {
    let gone = false
    const found = (path, video) => { if (!gone) setStreams({ path, video, known: true }) }
    if (!has('stream_url') || currentToken() !== '') return found('', false)
    setStreams({ path: '', video: false, known: false })
    call('stream_url').then(
      ({ shared_url: url, protocol }) => found(new URL(url).pathname.slice(1), protocol === 'rtsps' && canPlay),
      () => found('', false))
    return () => { gone = true }
  }, [printer])
  return streams
}

/**
 * Plays while the page is looked at.
 * @param {{ path: string, onUnable: () => void, onNote: (text: string) => void }} props
 */
function Video ({ path, onUnable, onNote }) {
  const element = useRef(/** @type {any} */ (null))
  useEffect(() => {
    let turn = new AbortController()
    let timer = 0
    let gone = false
    const watch = () => {
      turn = new AbortController()
      play(element.current, `${path}stream.mp4`, () => onNote(''), turn.signal).catch(error => {
        if (gone || turn.signal.aborted) return
        if (error instanceof NoVideoError) return onUnable()
        onNote(error.message)
        timer = setTimeout(watch, AGAIN_MS)
      })
    }
    const look = () => {
      turn.abort()
      clearTimeout(timer)
      if (!document.hidden) watch()
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      gone = true
      document.removeEventListener('visibilitychange', look)
      clearTimeout(timer)
      turn.abort()
    }
  }, [path])
  return html`<video ref=${element} poster=${`${path}snapshot?resolution=720p`} autoplay muted playsinline
    aria-label="Video from the printer's camera" />`
}

const Buttons = ({ streams, mode, setMode }) => {
  const toggle = (kind, off, words) =>
    html`<button type="button" onClick=${() => setMode(mode === kind ? off : kind)}>${mode === kind ? 'Stop' : 'Show'} ${words}</button>`
  if (streams.video) return html`<div class="buttons small">${toggle('video', 'off', 'video')}</div>`
  return html`<div class="buttons small">
    ${mode !== 'stream' && toggle('snapshots', 'off', 'snapshots')}
    ${streams.path !== '' && toggle('stream', 'snapshots', 'stream')}
  </div>`
}

const TAGS = { stream: 'stream', snapshots: 'picture every 10 s' }

/** The camera: video, a stream of pictures, or a picture every few seconds. */
export function Camera ({ printer, online }) {
  const streams = useStreams(printer)
  const [mode, setMode] = useState('off')
  const [note, setNote] = useState('')
  useEffect(() => { if (streams.known) setMode(streams.video ? 'video' : 'snapshots') }, [streams])
  const { picture, problem } = useSnapshots(mode === 'snapshots' && online, printer)
  const source = mode === 'stream' ? `${streams.path}stream` : mode === 'snapshots' ? picture : ''
  const video = mode === 'video' && online
  const words = !online ? 'The printer is offline' : mode === 'off' ? 'The camera is not shown' : problem || 'Waiting for a picture …'
  return html`<${Card} id="camera" title="Camera"
    extra=${html`<${Buttons} streams=${streams} mode=${mode} setMode=${setMode} />`}>
    <div class="view">
      ${video && html`<${Video} path=${streams.path} onNote=${setNote} onUnable=${() => setMode('snapshots')} />`}
      ${source && html`<img src=${source} alt="Picture from the printer's camera"
        onError=${() => mode === 'stream' && setMode('snapshots')} />`}
      ${video ? note && html`<p class="over" role="status">${note}</p>` : !source && html`<p role="status">${words}</p>`}
      ${source && html`<span class="tag">${TAGS[mode]}</span>`}</div>
  <//>`
}
