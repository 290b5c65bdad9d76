// Pictures of tiles: the part, or the camera while the tile is visible.

import { canPlay, NoVideoError, play } from 'camera-player'
import { PrinterDrawing } from 'printer-drawing'
import { t } from 'shell'
import { html, useEffect, useRef, useState } from './lib.js'

const AGAIN_MS = 5_000
const SNAPSHOT_MS = 6_000
/** Units from here on are external holders. */
const HOLDERS = 254
const RUNS = new Set(['printing', 'preparing', 'paused', 'error'])
/** The picture of the part is shown in these conditions. */
const SHOWN = new Set([...RUNS, 'finished', 'cancelled', 'failed'])

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

/** Spools of the first unit, or those on the holders, for the drawing. */
function drawnSpools ({ spools }) {
  const [first] = spools
  const unit = spools.filter(({ ams_id: id }) => id === first.ams_id && id < HOLDERS)
  return unit.map(({ colors }) => ({ color: (colors[0] ?? '').slice(0, 7) }))
}

/** The printer's drawing with its spools and what grows on its bed. */
export const Drawn = ({ printer }) => {
  const { model, job, spool, light, condition, temperatures } = printer
  const runs = RUNS.has(condition) && job !== null
  return html`<span class="picture drawn"><${PrinterDrawing} model=${model} isLit=${light} spools=${printer.spools.length > 0 ? drawnSpools(printer) : []}
    percent=${runs ? Math.max(4, job.percent) : condition === 'finished' ? 100 : 0} color=${spool?.color}
    isHot=${temperatures?.bed != null} /></span>`
}

/** The part being printed; the printer's drawing if there is no picture, or nothing is printed. */
export function Part ({ printer }) {
  const { name, job, condition } = printer
  const [missing, setMissing] = useState(false)
  useEffect(() => setMissing(false), [name, job?.name])
  const shows = job !== null && SHOWN.has(condition) && !missing
  return shows
    ? html`<span class="picture"><img loading="lazy" src=${`${pathOf(name)}thumbnail?absent=204&job=${encodeURIComponent(job.name)}`} alt=""
        onError=${() => setMissing(true)} /></span>`
    : html`<${Drawn} printer=${printer} />`
}
