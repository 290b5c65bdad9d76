import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { childEnvironment } from '../../../core/index.js'
import { CameraError } from './camera-error.js'

/** A program that was found and answers. */
export interface Ffmpeg { readonly path: string, readonly version: string }

const ASK_MS = 10_000
const MOST_OUTPUT = 1024 * 1024

/** @returns the version a program says it has; undefined when it is not there or none of the kind */
const versionOf = (path: string): Promise<string | undefined> => new Promise(resolve => {
  const options = { timeout: ASK_MS, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT, windowsHide: true } as const
  execFile(path, ['-hide_banner', '-version'], { ...options, env: childEnvironment() },
    (error, stdout) => resolve(error ? undefined : /^ffmpeg version (\S+)/.exec(stdout)?.[1]))
})

/** It may be missing, so the compiler must not look for it. */
const PACKAGE: string = 'ffmpeg-static'

/** The package gives a path whether or not its program was ever downloaded. */
async function bundled (): Promise<string | undefined> {
  const path = await import(PACKAGE).then((module: { default?: unknown }) => module.default, () => undefined)
  if (typeof path !== 'string') return undefined
  return await access(path, constants.X_OK).then(() => path, () => undefined)
}

const asProgram = async (path: string | undefined): Promise<Ffmpeg | undefined> => {
  const version = path === undefined ? undefined : await versionOf(path)
  return path === undefined || version === undefined ? undefined : { path, version }
}

/**
 * Where ffmpeg is: as configured, else the system's own, which gets security updates, else the one of the package
 * ffmpeg-static. What was found is remembered; what was not is looked for again the next time.
 * @throws CameraProblem that names the three places
 */
export function createFfmpegFinder (configured: string | undefined, ofPackage = bundled): () => Promise<Ffmpeg> {
  let known: Promise<Ffmpeg> | undefined

  async function find (): Promise<Ffmpeg> {
    if (configured !== undefined) {
      const found = await asProgram(configured)
      if (found) return found
      throw new CameraError('no_ffmpeg', `The camera of this printer needs ffmpeg, and PRN_FFMPEG names '${configured}', ` +
        'which is not a working ffmpeg. Correct it, or unset it to use the one on the path.')
    }
    const found = await asProgram('ffmpeg') ?? await asProgram(await ofPackage())
    if (found) return found
    throw new CameraError('no_ffmpeg', 'The camera of this printer needs ffmpeg, which was not found: PRN_FFMPEG is not ' +
      'set, there is no ffmpeg on the path, and the package ffmpeg-static has no program. Install it, or set PRN_FFMPEG.')
  }

  return () => {
    known ??= find().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

/** @returns [major, minor]; builds without a number count as new */
function numbersOf (version: string): readonly [number, number] {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  return major === undefined ? [99, 0] : [Number(major), Number(minor)]
}

const isBefore = (version: string, major: number, minor: number): boolean => {
  const [ours, ourMinor] = numbersOf(version)
  return ours < major || (ours === major && ourMinor < minor)
}

const US_PER_MS = 1_000

/**
 * From a video on this machine to pictures one after the other. Frames are stamped by the clock of this machine, as
 * some firmware stamps all of them alike; names of two options changed with the versions. What is read to learn what
 * kind of video it is counts as video too, and nobody asks for its rate: otherwise the first picture is lost and the
 * next one is waited for. A picture is made by one thread, as several hold some back until the next ones come.
 */
export const pictureArgs = (url: string, { version }: Ffmpeg, { stallMs, maxFps }: { stallMs: number, maxFps: number }):
readonly string[] => [
  '-nostdin', '-hide_banner', '-loglevel', 'error',
  '-rtsp_transport', 'tcp', isBefore(version, 5, 0) ? '-stimeout' : '-timeout', String(stallMs * US_PER_MS),
  '-max_delay', '500000', '-probesize', '1000000', '-analyzeduration', '500000', '-fpsprobesize', '0',
  '-flags', 'low_delay', '-use_wallclock_as_timestamps', '1',
  '-i', url,
  '-an', '-c:v', 'mjpeg', '-q:v', '3', '-threads', '1', ...ratePart(version, maxFps), '-f', 'image2pipe', 'pipe:1'
]

/** What cameras send at most. */
export const FULL_RATE = 30

/** Pictures are counted instead of timed: two that come in the same moment would end the program. */
const COUNTED = ['-vf', 'setpts=N', '-enc_time_base', '1:90000']

function ratePart (version: string, maxFps: number): readonly string[] {
  if (maxFps < FULL_RATE) return ['-r', String(maxFps)]
  return [...COUNTED, ...(isBefore(version, 5, 1) ? ['-vsync', 'passthrough'] : ['-fps_mode', 'passthrough'])]
}
