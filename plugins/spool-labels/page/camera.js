// The camera of the device, until it has read a code, and what to do where there is none.

import { html, Icon } from 'components'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from 'shell'
import { readPicture, readVideo } from './qr-reader.js'

const hasCamera = () => navigator.mediaDevices?.getUserMedia !== undefined

/** Whether the camera may start without asking: the user allowed it earlier. */
const isAllowed = async () => {
  const state = await navigator.permissions?.query({ name: /** @type {any} */ ('camera') }).catch(() => undefined)
  return state?.state === 'granted'
}

/** Browsers word errors in their own language: those that people can mend have words here. @param {Error} error */
const problemText = ({ name, message }) => ['NotAllowedError', 'NotFoundError', 'NotReadableError'].includes(name)
  ? t(`spool-scan.camera.${name}`)
  : t('spool-scan.camera.refused', { reason: message })

/** @param {{ onText: (text: string) => void, onProblem: (reason: string) => void, onStop: () => void }} props */
function Video ({ onText, onProblem, onStop }) {
  const video = useRef(/** @type {any} */ (null))
  useEffect(() => {
    const stopped = new AbortController()
    /** @type {MediaStream | undefined} */
    let stream
    const stop = () => stream?.getTracks().forEach(track => track.stop())
    const run = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } } })
      if (stopped.signal.aborted) return stop()
      video.current.srcObject = stream
      await video.current.play()
      const text = await readVideo(video.current, stopped.signal)
      if (text !== undefined) onText(text)
    }
    run().catch(error => { if (!stopped.signal.aborted) onProblem(problemText(error)) })
    return () => {
      stopped.abort()
      stop()
    }
  }, [])
  return html`<video ref=${video} muted playsinline aria-label=${t('spool-scan.camera.view')}></video>
    <p role="status">${t('spool-scan.camera.hold')}</p>
    <button type="button" onClick=${onStop}>${t('spool-scan.camera.stop')}</button>`
}

/** @param {{ onText: (text: string) => void }} props */
export function Camera ({ onText }) {
  const [isOn, setOn] = useState(false)
  const [problem, setProblem] = useState('')
  useEffect(() => { if (hasCamera()) void isAllowed().then(allowed => { if (allowed) setOn(true) }) }, [])
  const take = async event => {
    const [file] = event.target.files
    event.target.value = ''
    const text = file && await readPicture(file).catch(() => undefined)
    if (text !== undefined) return onText(text)
    setProblem(t('spool-scan.photo.none'))
  }
  const fail = reason => {
    setOn(false)
    setProblem(reason)
  }
  return html`<section class="card scanner">
    ${!hasCamera() && html`<p class="faint">${t('spool-scan.camera.insecure')}</p>`}
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    ${isOn
      ? html`<${Video} onText=${onText} onProblem=${fail} onStop=${() => setOn(false)} />`
      : html`<div class="buttons">${hasCamera() && html`<button type="button" class="primary" onClick=${() => { setProblem(''); setOn(true) }}>
          ${t('spool-scan.camera')}</button>`}
        <label class=${hasCamera() ? 'button take' : 'button primary take'}><${Icon} name="camera" /> ${t('spool-scan.photo')}
          <input type="file" accept="image/*" capture="environment" aria-label=${t('spool-scan.photo')} onChange=${take} /></label></div>`}
  </section>`
}
