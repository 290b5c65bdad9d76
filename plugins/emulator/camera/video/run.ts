import type { CameraFaultInjector } from '../camera-fault-injector.js'
import { createIntervalRunner } from '../interval-runner.js'
import type { Size, Renderer } from '../picture/renderer.js'
import { clearCounter } from './counter.js'
import { createPredictor, frameNumberBits, type Predictor } from './predicted.js'
import type { Encoder, EncoderEvents, ParameterSets, Picture, StreamPicture } from './types.js'

/** A longer delay than this is skipped instead of made up for. */
const MOST_BEHIND_MS = 500

/**
 * Calls back at even intervals with the time that was due; missed calls are made up at once. The timer does not keep
 * the process alive.
 *
 * @returns stops the ticker
 */
function startTicker (everyMs: number, tick: (at: number) => void): () => void {
  let due = performance.now()
  let open = true

  const turn = (): void => {
    const now = performance.now()
    if (now - due > MOST_BEHIND_MS) due = now
    for (; due <= now; due += everyMs) {
      if (!open) return
      tick(due)
    }
    if (open) timer = setTimeout(turn, due - now).unref()
  }
  let timer = setTimeout(turn, 0).unref()
  return () => {
    open = false
    clearTimeout(timer)
  }
}

/** A running encoder, and the stream that is made of its pictures. */
export interface VideoRun {
  /** Resolves when everything has stopped. */
  close (): Promise<void>
}

export interface VideoRunOptions {
  readonly size: Size
  readonly fps: number
  /** Interval between two drawings, s. */
  readonly drawSeconds: number
  /** Pictures from one key picture to the next. */
  readonly group: number
  readonly renderer: Renderer
  readonly faultInjector: CameraFaultInjector
  readonly encoder: (events: EncoderEvents) => Encoder
}

export interface VideoRunEvents {
  /** Once, before the first picture. */
  parameters (sets: ParameterSets): void
  picture (picture: StreamPicture): void
  /** The encoder ended by itself, or its output cannot be continued. */
  failed (): void
}

/** Draws and encodes at intervals, and fills the time between with cheap predicted pictures. */
export function startVideoRun (options: VideoRunOptions, events: VideoRunEvents): VideoRun {
  const { size, fps, drawSeconds, group, renderer, faultInjector } = options
  let sets: ParameterSets | undefined
  let predictor: Predictor | undefined
  let key: Picture | undefined
  let sinceKey = group
  let number = 0
  let isOpen = true
  let endTicker = (): void => {}

  /** While the stream is stalled no picture is made, because the next one would lack its reference. */
  const tick = (at: number): void => {
    if (faultInjector.stalled || sets === undefined || key === undefined || predictor === undefined) return
    const isKey = sinceKey >= group && !faultInjector.withoutKeys
    sinceKey = isKey ? 1 : sinceKey + 1
    const picture = isKey ? key : predictor.picture(sinceKey - 1, number)
    number++
    events.picture({ ...picture, at, sets })
  }

  const encoder = options.encoder({
    parameters (found) {
      const bits = frameNumberBits(found.sps)
      if (bits === undefined) return events.failed()
      sets = found
      predictor = createPredictor(size.width, size.height, bits)
      events.parameters(found)
    },
    picture (picture) {
      const isFirst = key === undefined
      key = picture
      if (isFirst && isOpen) endTicker = startTicker(1000 / fps, tick)
    },
    failed: events.failed
  })
  const drawing = createIntervalRunner(drawSeconds * 1000, async () => {
    const data = await renderer.raw(size)
    clearCounter({ ...size, data })
    encoder.encode(data)
  })
  drawing.start()

  return {
    close () {
      isOpen = false
      drawing.stop()
      endTicker()
      return encoder.close()
    }
  }
}
