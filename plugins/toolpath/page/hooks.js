// What a plate's page follows: the theme, the moves as they are loaded, the printer's job, the time while it plays.

import { follow } from 'shell'
import { channels } from './colors.js'
import { jobOn } from './job-on.js'
import { pointAt, reached, sharesOf } from './layer-times.js'
import { useEffect, useMemo, useRef, useState } from './lib.js'
import { nothingOf, together } from './pack-track.js'
import { loadTrack, rangesOf } from './track-loader.js'

const NOTHING = nothingOf()

/** Colours of the theme, for the graphics card. */
export function useTheme () {
  const read = () => globalThis.matchMedia('(prefers-color-scheme: dark)').matches
  const isDark = () => { const { theme } = document.documentElement.dataset; return theme ? theme === 'dark' : read() }
  const [dark, setDark] = useState(isDark())
  useEffect(() => {
    const media = globalThis.matchMedia('(prefers-color-scheme: dark)')
    const update = () => setDark(isDark())
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [])
  return useMemo(() => dark
    ? { bed: channels('#171f29'), bedLines: channels('#51606f'), glow: channels('#ffd873') }
    : { bed: channels('#fbfcfd'), bedLines: channels('#9aa8b8'), glow: channels('#ff7a00') }, [dark])
}

/** Loads the moves into the scene. */
export function useTrack (scene, params, { layers, summary }) {
  const [state, setState] = useState(/** @type {any} */ ({ has: NOTHING, loadedTo: 0, isDone: false, problem: '' }))
  useEffect(() => {
    if (!scene) return
    const address = `api/toolpath/track?${new URLSearchParams(/** @type {any} */ (params))}`
    return loadTrack(address, rangesOf(layers, summary.lines), {
      onPart (part) {
        scene.add(part)
        setState(before => ({
          ...before,
          loadedTo: part.last,
          has: together(before.has, part.has)
        }))
      },
      onDone: () => setState(before => ({ ...before, isDone: true })),
      onProblem: problem => setState(before => ({ ...before, problem }))
    })
  }, [scene])
  return state
}

/** The printer's job, if it prints this plate. */
export function useJob ({ printer, file, plate }, doc) {
  const [job, setJob] = useState(() => jobOn(doc, file, plate))
  useEffect(() => follow({
    topics: ['state'],
    ...(printer && { printer }),
    onMessage: ({ topic, data }) => {
      if (topic !== 'state') return
      const next = jobOn(data, file, plate)
      setJob(before => JSON.stringify(before) === JSON.stringify(next) ? before : next)
    }
  }), [])
  return job
}

const TICK_MS = 500

/**
 * Which part of the time of the layer in print is over, counted from its report; undefined for the first one that is
 * seen, because its beginning is not known.
 */
export function useLayerShare (job, layers, isFollowing) {
  const seen = useRef(/** @type {{ layer?: number, at?: number }} */ ({}))
  const [, setTick] = useState(0)
  const isWatching = isFollowing && job !== undefined
  useEffect(() => {
    if (!isWatching) return
    const timer = setInterval(() => setTick(count => count + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [isWatching])
  if (job && job.layer !== seen.current.layer) {
    seen.current = { layer: job.layer, ...(seen.current.layer !== undefined && { at: performance.now() }) }
  }
  const { layer = 0, at } = seen.current
  const seconds = layers[layer - 1]?.seconds ?? 0
  return at === undefined || !(seconds > 0) ? undefined : Math.min(1, (performance.now() - at) / 1000 / seconds)
}

/** Where the nozzle is in a layer after a part of its time. */
export function headIn (scene, layer, share) {
  const part = scene?.parts.find(({ first, last }) => first <= layer && layer <= last)
  if (!part) return {}
  const [first, end] = [part.starts[layer - part.first], part.starts[layer - part.first + 1]]
  if (end - first < 2) return {}
  part.shares ??= {}
  if (part.shares.layer !== layer) part.shares = { layer, values: sharesOf(part.points, first, end) }
  const count = reached(part.shares.values, share)
  return { end: count, head: pointAt(part.points, first + count - 1) }
}

/** Plays by the printer's time. */
export function usePlayer (seconds, at, setAt) {
  const [isPlaying, setPlaying] = useState(false)
  const [rate, setRate] = useState(60)
  const now = useRef(at)
  now.current = at
  useEffect(() => {
    if (!isPlaying) return
    let before = performance.now()
    let request = requestAnimationFrame(function tick (time) {
      const next = Math.min(seconds, now.current + (time - before) / 1000 * rate)
      before = time
      setAt(next)
      if (next >= seconds) return setPlaying(false)
      request = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(request)
  }, [isPlaying, rate])
  const play = () => {
    if (!isPlaying && now.current >= seconds) setAt(0)
    setPlaying(!isPlaying)
  }
  return { isPlaying, rate, setRate, play, stop: () => setPlaying(false) }
}
