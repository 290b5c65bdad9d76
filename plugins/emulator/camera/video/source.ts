import { createLoop, type Loop } from '../interval-runner.js'
import type { CameraFaultInjector } from '../camera-fault-injector.js'
import type { CameraSettings } from '../options.js'
import type { Studio } from '../picture/renderer.js'
import { createFfmpegEncoder } from './ffmpeg.js'
import { createPlainEncoder } from './plain.js'
import type { Encoder, EncoderEvents, ParameterSets, Picture } from './types.js'

/** The video of one printer. Encodes while somebody is joined, once for all of them. */
export interface VideoSource {
  readonly members: number
  /** Gives every picture from now on, until the function that it returns is called. */
  join (member: Member): () => void
  /** Resolves with the first picture of the run; needs a member. */
  parameters (): Promise<ParameterSets>
  /** The last picture that can be decoded alone, and those that came after it: what a newcomer begins with. */
  recent (): readonly Picture[]
  /** Ends the run. Resolves when no encoder is left, those of earlier runs included. */
  stop (): Promise<void>
}

export interface Member {
  picture (picture: Picture): void
  /** The encoder ended by itself. */
  failed (): void
}

export interface VideoSourceOptions {
  readonly settings: CameraSettings
  readonly studio: Studio
  readonly faultInjector: CameraFaultInjector
}

interface Pending<T> { readonly promise: Promise<T>, resolve (value: T): void }

function pending<T> (): Pending<T> {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(_resolve => { resolve = _resolve })
  return { promise, resolve }
}

interface Run { readonly encoder: Encoder, readonly loop: Loop }

/** Uncompressed video is half as wide and high, and has no more pictures than this allows. */
const PLAIN_BYTES_PER_S = 2_000_000
const PLAIN_BYTES_PER_PIXEL = 1.5

/** More than an encoder of ours ever puts between two that can be decoded alone. */
const MOST_RECENT = 32

const half = (pixels: number): number => Math.floor(pixels / 4) * 2

export function createVideoSource ({ settings, studio, faultInjector }: VideoSourceOptions): VideoSource {
  const members = new Set<Member>()
  const closing = new Set<Promise<void>>()
  let program = settings.ffmpeg
  let run: Run | undefined
  let known = pending<ParameterSets>()
  let hasPictures = false
  let recent: Picture[] = []

  const remember = (picture: Picture): void => {
    if (picture.isKey) recent = [picture]
    else if (recent.length > 0) recent = recent.length < MOST_RECENT ? [...recent, picture] : []
  }

  const events = (isCurrent: () => boolean): EncoderEvents => ({
    parameters: sets => { if (isCurrent()) known.resolve(sets) },
    picture (picture) {
      if (!isCurrent()) return
      hasPictures = true
      if (faultInjector.stalled) return
      remember(picture)
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

  const encoderFor = (on: EncoderEvents): Encoder => {
    const { width, height, fps } = settings
    if (program) return createFfmpegEncoder({ program, width, height, fps }, on)
    const [across, down] = [half(width), half(height)]
    const most = PLAIN_BYTES_PER_S / (across * down * PLAIN_BYTES_PER_PIXEL)
    return createPlainEncoder(across, down, Math.min(fps, most), on)
  }

  const begin = (): void => {
    const encoder = encoderFor(events(() => run === mine))
    const loop = createLoop(1000 / encoder.fps, async () => encoder.encode(await studio.raw(encoder)))
    const mine: Run = { encoder, loop }
    run = mine
    loop.start()
  }

  const end = (): void => {
    if (run === undefined) return
    const { encoder, loop } = run
    run = undefined
    recent = []
    loop.stop()
    const closed = encoder.close().finally(() => closing.delete(closed))
    closing.add(closed)
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
    recent: () => faultInjector.stalled ? [] : recent,
    async stop () {
      members.clear()
      reset()
      await Promise.all(closing)
    }
  }
}
