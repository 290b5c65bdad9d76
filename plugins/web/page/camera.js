import { NoVideoError, play } from 'camera-player'
import { clock, t } from 'shell'
import { call } from './api.js'
import { Card } from './ui.js'
import { html, useEffect, useRef, useState } from './lib.js'

const EVERY_MS = 10_000
const AGAIN_MS = 2_000
const STREAM_MS = 60_000
const SNAPSHOT = { resolution: '720p', quality: 75 }

/** A picture every few seconds while the page is visible. @param {boolean} on @param {string} printer */
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

/** Shows the stream again from time to time: an image keeps the last picture of one that has ended, without a word. */
function useStreamTurn (on) {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => { if (!document.hidden) setTurn(before => before + 1) }, STREAM_MS)
    return () => clearInterval(timer)
  }, [on])
  return turn
}

/**
 * Plays while the page is visible.
 * @param {{ path: string, onUnable: () => void, onNote: (text: string) => void }} props
 */
function Video ({ path, onUnable, onNote }) {
  const element = useRef(/** @type {any} */ (null))
  useEffect(() => {
    let turn = new AbortController()
    let timer = 0
    let gone = false
    let pictureAt = Date.now()
    const watch = () => {
      turn = new AbortController()
      play(element.current, `${path}stream.mp4`, () => { pictureAt = Date.now(); onNote('') }, turn.signal).catch(error => {
        if (gone || turn.signal.aborted) return
        if (error instanceof NoVideoError) return onUnable()
        onNote(error.name === 'AbortError' ? t('printer.camera.none_since', { time: clock(pictureAt) }) : error.message)
        timer = setTimeout(watch, AGAIN_MS)
      })
    }
    const restart = () => {
      turn.abort()
      clearTimeout(timer)
      if (!document.hidden) watch()
    }
    restart()
    document.addEventListener('visibilitychange', restart)
    return () => {
      gone = true
      document.removeEventListener('visibilitychange', restart)
      clearTimeout(timer)
      turn.abort()
    }
  }, [path])
  return html`<video ref=${element} poster=${`${path}snapshot?resolution=720p`} autoplay muted playsinline
    aria-label=${t('printer.camera.video.label')} />`
}

const Buttons = ({ streams, mode, setMode }) => {
  const toggle = (kind, off) => html`<button type="button" onClick=${() => setMode(mode === kind ? off : kind)}>
    ${t(mode === kind ? 'printer.camera.hide' : 'printer.camera.show', { what: t(`printer.camera.${kind}`) })}</button>`
  const large = streams.path !== '' && html`<a class="button" href=${streams.path}>${t('printer.camera.large')}</a>`
  if (streams.video) return html`<div class="buttons small">${toggle('video', 'off')}${large}</div>`
  return html`<div class="buttons small">
    ${mode !== 'stream' && toggle('snapshots', 'off')}
    ${streams.path !== '' && toggle('stream', 'snapshots')}
    ${large}
  </div>`
}

const TAGS = { stream: 'printer.camera.stream', snapshots: 'printer.camera.every' }

/** The camera: video, a stream of pictures, or a picture every few seconds. */
export function Camera ({ printer, streams, online }) {
  const [mode, setMode] = useState('off')
  const [note, setNote] = useState('')
  useEffect(() => { if (streams.known) setMode(streams.video ? 'video' : 'snapshots') }, [streams])
  const { picture, problem } = useSnapshots(mode === 'snapshots' && online, printer)
  const isStream = mode === 'stream' && online
  const turn = useStreamTurn(isStream)
  const source = isStream ? `${streams.path}stream?turn=${turn}` : mode === 'snapshots' && online ? picture : ''
  const video = mode === 'video' && online
  const words = online && mode !== 'off' && problem !== ''
    ? problem
    : t(!online ? 'printer.camera.offline' : mode === 'off' ? 'printer.camera.off' : 'printer.camera.wait')
  return html`<${Card} id="camera" className="sight-card" title=${t('printer.camera')}
    extra=${html`<${Buttons} streams=${streams} mode=${mode} setMode=${setMode} />`}>
    <div class="view">
      ${video && html`<${Video} path=${streams.path} onNote=${setNote} onUnable=${() => setMode('snapshots')} />`}
      ${source && html`<img src=${source} alt=${t('printer.camera.picture')}
        onError=${() => mode === 'stream' && setMode('snapshots')} />`}
      ${video ? note && html`<p class="over" role="status">${note}</p>` : !source && html`<p role="status">${words}</p>`}
      ${source && html`<span class="tag">${t(TAGS[mode])}</span>`}</div>
  <//>`
}
