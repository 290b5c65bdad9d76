import { attempt } from './dialogs.js'
import { call, has } from './api.js'
import { Card } from './ui.js'
import { html, useEffect, useState } from './lib.js'
import { currentToken } from './token.js'

const EVERY_MS = 10_000
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

/** The stream has a port of its own on the host by which this page was reached. */
function streamAddress (url) {
  const address = new URL('stream', url)
  address.hostname = window.location.hostname
  return address.href
}

async function startStream (setStream) {
  const started = await attempt('', () => call('start_stream'))
  if (started) setStream(streamAddress(started.url))
}

async function stopStream (setStream) {
  setStream('')
  await attempt('Stream stopped', () => call('stop_stream'))
}

/** A stream that runs already is shown at once. */
function useRunning (printer, setStream) {
  useEffect(() => {
    setStream('')
    if (!has('stream_url') || currentToken() !== '') return
    call('stream_url').then(({ streaming, local_mjpeg_url: url }) => {
      if (streaming && url) setStream(streamAddress(url))
    }, () => {}) // pictures then
  }, [printer])
}

const Buttons = ({ stream, setStream, on, setOn }) => html`<div class="buttons small">
  ${!stream && html`<button type="button" onClick=${() => setOn(!on)}>${on ? 'Stop snapshots' : 'Show snapshots'}</button>`}
  ${has('start_stream') && currentToken() === '' && (stream
    ? html`<button type="button" onClick=${() => stopStream(setStream)}>Stop stream</button>`
    : html`<button type="button" onClick=${() => startStream(setStream)}>Start stream</button>`)}
</div>`

/** The camera: pictures every few seconds, or the stream. */
export function Camera ({ printer, online }) {
  const [stream, setStream] = useState('')
  const [on, setOn] = useState(true)
  useRunning(printer, setStream)
  const { picture, problem } = useSnapshots(on && online && stream === '', printer)
  const source = stream || (on ? picture : '')
  const note = !online ? 'The printer is offline' : on ? problem || 'Waiting for a picture …' : 'Snapshots are off'
  return html`<${Card} id="camera" title="Camera"
    extra=${html`<${Buttons} stream=${stream} setStream=${setStream} on=${on} setOn=${setOn} />`}>
    <div class="view">${source
      ? html`<img src=${source} alt="Picture from the printer's camera" onError=${() => stream && setStream('')} />`
      : html`<p role="status">${note}</p>`}
      ${source && html`<span class="tag">${stream ? 'stream' : 'picture every 10 s'}</span>`}</div>
  <//>`
}
