import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDiskLru, createKeyedQueue, readOwnFile, timeoutSignal, type PrinterSession } from '../../../core/index.js'
import type { CameraManager } from '../../camera/index.js'
import type { RecordingService } from '../../recording/index.js'
import type { PrintView } from '../schemas.js'

const THUMBNAIL_BYTES = 100_000_000
const PICTURE_BYTES = 200_000_000
const LARGEST_PICTURE = 5_000_000
/** Maximum age of the final picture: nothing moves any more, so an older one will do. */
const FRESH_MS = 10_000
const WITHIN_MS = 30_000
const AT_ONCE = 2
/** When more prints end at the same moment, the others get no picture. */
const MOST_WAITING = 20

export interface PicturesOptions {
  readonly folder: () => Promise<string>
  readonly camera: Pick<CameraManager, 'protocol' | 'latestFrame'> | undefined
  readonly signal: AbortSignal
  readonly onProblem: (error: Error) => void
}

/** Pictures of prints on disk: the slicer's thumbnail, and the camera's frame at the end. */
export function createPictures ({ folder, camera, signal, onProblem }: PicturesOptions) {
  const thumbnails = createDiskLru({ maxBytes: THUMBNAIL_BYTES, folder: async () => join(await folder(), 'thumbnails') })
  const pictures = createDiskLru({ maxBytes: PICTURE_BYTES, folder: async () => join(await folder(), 'pictures') })
  const turns = createKeyedQueue<string>(AT_ONCE)
  const nameOf = (print: string, type: string): string => `${print.replaceAll(/[^\w-]/g, '')}.${type}`

  const write = async (store: typeof pictures, name: string, content: Buffer): Promise<void> => {
    await store.add(name, content.length, path => writeFile(path, content)).catch(onProblem)
  }
  async function read (store: typeof pictures, name: string): Promise<Buffer | undefined> {
    const path = await store.use(name)
    return path === undefined ? undefined : await readOwnFile(path).catch(() => undefined)
  }

  async function take (print: string, session: PrinterSession, from: NonNullable<typeof camera>): Promise<void> {
    const soon = AbortSignal.any([signal, session.signal, timeoutSignal(WITHIN_MS)])
    await turns.run(print, async () => {
      const { jpeg } = await from.latestFrame(session, { maxAgeMs: FRESH_MS, signal: soon })
      if (jpeg.length <= LARGEST_PICTURE) await write(pictures, nameOf(print, 'jpg'), jpeg)
    }, soon)
  }

  return {
    storeThumbnail: (print: string, png: Buffer) => write(thumbnails, nameOf(print, 'png'), png),
    thumbnail: (print: string) => read(thumbnails, nameOf(print, 'png')),
    picture: (print: string) => read(pictures, nameOf(print, 'jpg')),
    /** The print has just ended. */
    take (print: string, session: PrinterSession): void {
      if (camera?.protocol(session) === undefined || turns.keys().size >= MOST_WAITING) return
      take(print, session, camera).catch(onProblem)
    },
    async drop (print: string): Promise<void> {
      await Promise.all([thumbnails.remove(nameOf(print, 'png')), pictures.remove(nameOf(print, 'jpg'))])
    }
  }
}

/** Evidence clips begin before their alert, and some alerts come shortly after the end. */
const AROUND_MS = 60_000
const MOST_LISTED = 1_000

/** Recordings that began during a print. */
export function recordingsOf (recording: RecordingService | undefined, print: PrintView, now: number) {
  const from = print.started_at - AROUND_MS
  const to = (print.ended_at ?? now) + AROUND_MS
  const { recordings } = recording?.list({ printer: print.printer }, MOST_LISTED) ?? { recordings: [] }
  return recordings.filter(({ status, started_at: startedAt }) => {
    const at = Date.parse(startedAt)
    return status === 'ready' && at >= from && at <= to
  }).map(({ id, kind, started_at: startedAt, duration_s: seconds }) =>
    ({ id, kind, started_at: startedAt, duration_s: seconds }))
}
