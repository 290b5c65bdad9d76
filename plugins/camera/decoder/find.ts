import { join } from 'node:path'
import { CameraError } from '../upstream/camera-error.js'
import { ffmpegDecoder } from './ffmpeg.js'
import { findFfmpeg } from './ffmpeg-program.js'
import { openPackage } from './package.js'
import type { DecoderTimeouts, FindDecoder, OpenDecoder } from './types.js'

export const DECODER_TIMEOUTS: DecoderTimeouts = { still: 10_000, spare: 60_000, grace: 1_000 }

/** Where the decoder package is installed, if it is. */
export const decoderFolder = (dataDir: string): string => join(dataDir, 'decoder')

export interface DecoderFinderOptions {
  /** Configured path of ffmpeg. */
  readonly configured: string | undefined
  readonly folder: string
  readonly timeouts?: DecoderTimeouts
}

export interface DecoderFinder {
  readonly find: FindDecoder
  /** Ends the processes of the decoder that was found. */
  close (): Promise<void>
}

/**
 * Finds the decoder of this machine: ffmpeg, else the package that `prnd decoder install` has installed. A decoder that
 * was found is remembered; without one, the search is repeated on the next call.
 */
export function createDecoderFinder (options: DecoderFinderOptions): DecoderFinder {
  const { configured, folder, timeouts = DECODER_TIMEOUTS } = options
  let known: Promise<OpenDecoder> | undefined

  async function search (): Promise<OpenDecoder> {
    const ffmpeg = await findFfmpeg(configured)
    if (ffmpeg !== undefined) return ffmpegDecoder(ffmpeg, timeouts)
    const installed = await openPackage(folder, timeouts)
    if (installed !== undefined) return installed
    throw new CameraError('no_decoder', 'Pictures of this camera need a decoder, and no decoder was found: ' +
      'PRN_FFMPEG is not set, and there is no ffmpeg on the path. Run `prnd decoder install`, or install ffmpeg. Video plays without one.')
  }

  return {
    find () {
      known ??= search().catch((error: unknown) => {
        known = undefined
        throw error
      })
      return known
    },
    async close () {
      await known?.then(decoder => decoder.close(), () => {})
    }
  }
}
