import type { CameraFaultInjector } from '../camera-fault-injector.js'
import type { CameraSettings } from '../options.js'
import type { Renderer } from '../picture/renderer.js'
import { createFfmpegEncoder } from './ffmpeg.js'
import { createPlainEncoder } from './plain.js'
import { startVideoRun, type VideoRun, type VideoRunOptions } from './run.js'
import type { ParameterSets, StreamPicture } from './types.js'

/** The video of one printer. Encodes once for all members, while there are any. */
export interface VideoSource {
  readonly members: number
  /** Delivers every picture from now on. @returns leaves */
  join (member: Member): () => void
  /** Resolves with the first picture of the run; needs a member. */
  parameters (): Promise<ParameterSets>
  /** The last key picture and all later ones, with which a new member starts. */
  recent (): readonly StreamPicture[]
  /** Ends the run. Resolves when all encoders have ended, including those of earlier runs. */
  stop (): Promise<void>
}

export interface Member {
  picture (picture: StreamPicture): void
  /** The encoder ended by itself. */
  failed (): void
}

export interface VideoSourceOptions {
  readonly settings: CameraSettings
  readonly renderer: Renderer
  readonly faultInjector: CameraFaultInjector
}

interface Pending<T> { readonly promise: Promise<T>, resolve (value: T): void }

function pending<T> (): Pending<T> {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(_resolve => { resolve = _resolve })
  return { promise, resolve }
}

/** Uncompressed video has half the width and height, and its rate of key pictures is limited to this. */
const PLAIN_BYTES_PER_S = 2_000_000
const PLAIN_BYTES_PER_PIXEL = 1.5

/** Minimum size, so that the counter leaves space for the scene. */
const LEAST_PX = 32

const half = (pixels: number): number => Math.max(LEAST_PX, Math.floor(pixels / 4) * 2)

/** @param program that encodes; without one the video is uncompressed */
function runOptionsOf ({ settings, renderer, faultInjector }: VideoSourceOptions,
  program: CameraSettings['ffmpeg'], isHalved: boolean): VideoRunOptions {
  const { fps, keySeconds, drawSeconds } = settings
  const [width, height] = isHalved ? [half(settings.width), half(settings.height)] : [settings.width, settings.height]
  const shared = { fps, drawSeconds, renderer, faultInjector }
  const groupOf = (seconds: number): number => Math.max(1, Math.round(fps * seconds))
  if (program) {
    const encoding = { program, width, height, fps }
    const size = { width, height }
    return { ...shared, size, group: groupOf(keySeconds), encoder: events => createFfmpegEncoder(encoding, events) }
  }
  const size = { width: half(width), height: half(height) }
  const least = size.width * size.height * PLAIN_BYTES_PER_PIXEL / PLAIN_BYTES_PER_S
  const group = groupOf(Math.max(keySeconds, least))
  return { ...shared, size, group, encoder: events => createPlainEncoder(size.width, size.height, events) }
}

/** The last key picture and all later ones; none, once they are more than a group. */
class RecentPictures {
  #pictures: StreamPicture[] = []

  get all (): readonly StreamPicture[] { return [...this.#pictures] }

  add (picture: StreamPicture, group: number): void {
    if (picture.isKey) this.#pictures = [picture]
    else if (this.#pictures.length >= group) this.clear()
    else if (this.#pictures.length > 0) this.#pictures.push(picture)
  }

  clear (): void { this.#pictures = [] }
}

export function createVideoSource (sourceOptions: VideoSourceOptions): VideoSource {
  const { settings, faultInjector } = sourceOptions
  const members = new Set<Member>()
  const closing = new Set<Promise<void>>()
  let program = settings.ffmpeg
  let run: VideoRun | undefined
  let known = pending<ParameterSets>()
  let hasPictures = false
  let isHalved = false
  const recent = new RecentPictures()

  const begin = (): void => {
    isHalved = faultInjector.halved
    const options = runOptionsOf(sourceOptions, program, isHalved)
    const isCurrent = (): boolean => run === mine
    const mine: VideoRun = startVideoRun(options, {
      parameters: sets => { if (isCurrent()) known.resolve(sets) },
      picture (picture) {
        if (!isCurrent()) return
        if (isHalved !== faultInjector.halved) return change()
        hasPictures = true
        recent.add(picture, options.group)
        for (const member of members) member.picture(picture)
      },
      failed () {
        if (!isCurrent()) return
        end()
        if (hasPictures) return [...members].forEach(member => member.failed())
        program = false
        begin()
      }
    })
    run = mine
  }

  const end = (): void => {
    if (run === undefined) return
    const closed = run.close().finally(() => closing.delete(closed))
    closing.add(closed)
    run = undefined
    recent.clear()
  }

  /** Continues in another size. */
  const change = (): void => {
    end()
    known = pending()
    begin()
  }

  const reset = (): void => {
    end()
    known = pending()
    hasPictures = false
  }

  return {
    get members () { return members.size },
    join (member) {
      members.add(member)
      if (run === undefined) begin()
      return () => { if (members.delete(member) && members.size === 0) reset() }
    },
    parameters: () => known.promise,
    recent: () => faultInjector.stalled ? [] : recent.all,
    async stop () {
      members.clear()
      reset()
      await Promise.all(closing)
    }
  }
}
