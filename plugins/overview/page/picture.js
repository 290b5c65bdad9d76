// Pictures of tiles: the part, or the camera while the tile is visible.

import { canPlay, NoVideoError, play } from 'camera-player'
import { t } from 'shell'
import { html, Icon, useEffect, useRef, useState } from './lib.js'

const AGAIN_MS = 5_000
const SNAPSHOT_MS = 6_000

const pathOf = name => `stream/${encodeURIComponent(name)}/`

/** Whether an element is visible, in a visible page. */
function useVisible (ref) {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    let near = false
    const update = () => setSeen(near && !document.hidden)
    const observer = new IntersectionObserver(([entry]) => { near = entry.isIntersecting; update() })
    observer.observe(ref.current)
    document.addEventListener('visibilitychange', update)
    return () => { observer.disconnect(); document.removeEventListener('visibilitychange', update) }
  }, [])
  return seen
}

const Video = ({ name, onUnable }) => {
  const element = useRef(/** @type {any} */ (null))
  useEffect(() => {
    const abort = new AbortController()
    let timer = 0
    const watch = () => play(element.current, `${pathOf(name)}stream.mp4`, () => {}, abort.signal).catch(error => {
      if (abort.signal.aborted) return
      if (error instanceof NoVideoError) return onUnable()
      timer = setTimeout(watch, AGAIN_MS)
    })
    void watch()
    return () => { abort.abort(); clearTimeout(timer) }
  }, [name])
  return html`<video ref=${element} autoplay muted playsinline aria-label=${t('fleet.video', { printer: name })} />`
}

const Snapshots = ({ name }) => {
  const [at, setAt] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setAt(Date.now()), SNAPSHOT_MS)
    return () => clearInterval(timer)
  }, [])
  return html`<img src=${`${pathOf(name)}snapshot?resolution=480p&quality=70&t=${at}`} alt=${t('fleet.video', { printer: name })} />`
}

/** The camera, while it is visible. */
export function Live ({ printer: { name, video } }) {
  const place = useRef(/** @type {any} */ (null))
  const seen = useVisible(place)
  const [plays, setPlays] = useState(video && canPlay)
  return html`<span class="picture live" ref=${place}>${seen && (plays
    ? html`<${Video} name=${name} onUnable=${() => setPlays(false)} />`
    : html`<${Snapshots} name=${name} />`)}</span>`
}

/** The part being printed; an icon if there is no picture. */
export function Part ({ printer: { name, job } }) {
  const [missing, setMissing] = useState(false)
  useEffect(() => setMissing(false), [name, job?.name])
  return html`<span class="picture">${job && !missing
    ? html`<img loading="lazy" src=${`${pathOf(name)}thumbnail?absent=204&job=${encodeURIComponent(job.name)}`} alt=""
        onError=${() => setMissing(true)} />`
    : html`<${Icon} name="printer" />`}</span>`
}
