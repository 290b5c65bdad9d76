import { join } from 'node:path'
import { createMp4File, type FindDecoder, type Mp4File } from '../camera/index.js'
import { openPictureFolder, type PictureFolder } from './picture-folder.js'
import { fitTogether, isVideo, type Shot } from './shot-ring.js'

/** A finished video file. */
export interface Clip {
  readonly file: string
  readonly durationMs: number
}

/** Writes one video from a camera: encoded video is stored unchanged, JPEGs are encoded at the end. */
export interface ClipWriter {
  /** The pictures are JPEGs, which `finish` must encode. */
  readonly needsEncoding: boolean
  /** Bytes written. */
  readonly bytes: number
  /** Adds the next one, one call at a time; a shot with a different format is left out. */
  add (shot: Shot): Promise<void>
  /**
   * @returns undefined if there was no picture
   * @throws CameraError such as `no_decoder` if JPEGs cannot be encoded
   */
  finish (signal: AbortSignal): Promise<Clip | undefined>
  /** Closes open files, finished or not; removing the folder is up to the caller. */
  close (): Promise<void>
}

const VIDEO = 'video.mp4'
const MOST_FPS = 30
const MS_PER_SECOND = 1_000

/** Frame rate that plays JPEGs at about their original speed. */
export const fpsOf = (count: number, spanMs: number): number =>
  Math.max(1, Math.min(MOST_FPS, Math.round((count - 1) * MS_PER_SECOND / Math.max(1, spanMs))))

const ADVICE = 'install an ffmpeg that has libx264 or libopenh264, or run `prnd decoder install`'

/**
 * Encodes JPEGs as H.264.
 * @throws CameraError `no_decoder`, `decoder_failed`
 */
export async function encodePictures (findDecoder: FindDecoder, pictures: PictureFolder, fps: number, file: string,
  signal: AbortSignal): Promise<Clip> {
  const decoder = await findDecoder()
  const encode = await decoder.findEncoder()
  if (encode === undefined) throw new Error(`${decoder.name} cannot make videos: ${ADVICE}`)
  await encode({ pictures: pictures.pictures(), fps, file, signal })
  return { file, durationMs: Math.round(pictures.count * MS_PER_SECOND / fps) }
}

/** @param folder exclusive to this writer */
export function createClipWriter (folder: string, findDecoder: FindDecoder): ClipWriter {
  const file = join(folder, VIDEO)
  let first: Shot | undefined
  let last: Shot | undefined
  let video: Mp4File | undefined
  let pictures: PictureFolder | undefined
  let offered = 0
  let videoBytes = 0

  async function begin (shot: Shot): Promise<void> {
    if (isVideo(shot)) video = await createMp4File(file, shot.unit.format)
    else pictures = await openPictureFolder(folder)
    first = shot
  }

  async function write (shot: Shot): Promise<void> {
    if (!isVideo(shot)) {
      if (pictures !== undefined && offered++ % pictures.step === 0) await pictures.add(shot.jpeg)
      return
    }
    await video?.add(shot.unit)
    videoBytes += shot.bytes
  }

  return {
    get needsEncoding () { return pictures !== undefined },
    get bytes () { return pictures?.bytes ?? videoBytes },
    async add (shot) {
      if (first === undefined && !shot.key) return
      if (first === undefined) await begin(shot)
      else if (!fitTogether(first, shot)) return
      last = shot
      await write(shot)
    },
    async finish (signal) {
      if (video !== undefined) {
        const durationMs = await video.finish()
        video = undefined
        return { file, durationMs }
      }
      if (pictures === undefined || first === undefined || last === undefined) return undefined
      return await encodePictures(findDecoder, pictures, fpsOf(pictures.count, last.at - first.at), file, signal)
    },
    async close () {
      const open = video
      video = undefined
      await open?.close()
    }
  }
}
