import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { childEnvironment } from '../../../core/index.js'
import { CameraError } from '../upstream/camera-error.js'

/** A program that was found and runs. */
export interface Ffmpeg { readonly path: string, readonly version: string }

const ASK_MS = 10_000
const MOST_OUTPUT = 1024 * 1024

/** @returns the version that the program reports; undefined when it is missing or is not ffmpeg */
const versionOf = (path: string): Promise<string | undefined> => new Promise(resolve => {
  const options = { timeout: ASK_MS, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT, windowsHide: true } as const
  execFile(path, ['-hide_banner', '-version'], { ...options, env: childEnvironment() },
    (error, stdout) => resolve(error ? undefined : /^ffmpeg version (\S+)/.exec(stdout)?.[1]))
})

/** Typed as a string so that the compiler does not resolve it: the package is optional. */
const PACKAGE: string = 'ffmpeg-static'

/** The package exports a path even if its program was never downloaded. */
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
 * Finds ffmpeg: the configured one, else the system's, which gets security updates, else the one in the package
 * ffmpeg-static. Undefined when there is none.
 * @throws CameraError `no_decoder` when the configured program is not ffmpeg
 */
export async function findFfmpeg (configured: string | undefined, ofPackage = bundled): Promise<Ffmpeg | undefined> {
  if (configured === undefined) return await asProgram('ffmpeg') ?? await asProgram(await ofPackage())
  const found = await asProgram(configured)
  if (found) return found
  throw new CameraError('no_decoder', `Pictures of this camera need a decoder, and PRN_FFMPEG names '${configured}', ` +
    'which is not a working ffmpeg. Correct it, or unset it to use another one.')
}

/** @returns [major, minor]; builds without a version number count as new */
function numbersOf (version: string): readonly [number, number] {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  return major === undefined ? [99, 0] : [Number(major), Number(minor)]
}

export const isBefore = (version: string, major: number, minor: number): boolean => {
  const [ours, ourMinor] = numbersOf(version)
  return ours < major || (ours === major && ourMinor < minor)
}
