import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readOwnFile, timeoutSignal, writePrivateFile, type PrinterSession, type Services } from '../../core/index.js'
import type {} from '../camera/index.js' // adds the service
import type {} from '../recording/index.js' // likewise
import type { Attachment } from './targets/types.js'

export interface AttachmentsOptions {
  /** Makes the folder for pictures, which is not there without a target. */
  readonly folder: () => Promise<string>
  readonly camera: Pick<Services['camera'], 'latestFrame' | 'protocol'> | undefined
  readonly recording: Pick<Services['recording'], 'fileOf'> | undefined
  readonly signal: AbortSignal
}

const FRESH_MS = 2_000
const WITHIN_MS = 10_000

const PICTURE = 'picture:'
const CLIP = 'clip:'
const FILE = /^[0-9a-f]{24}\.jpg$/

/** Pictures are stored by this plugin, clips by the recording plugin. Messages refer to them by a short text. */
export function createAttachments ({ folder: makeFolder, camera, recording, signal }: AttachmentsOptions) {
  let making: Promise<string> | undefined
  function folder (): Promise<string> {
    making ??= makeFolder()
    return making
  }

  async function fileOf (reference: string): Promise<string | undefined> {
    const name = reference.startsWith(PICTURE) ? reference.slice(PICTURE.length) : ''
    return FILE.test(name) ? join(await folder(), name) : undefined
  }

  return {
    hasCamera: (session: PrinterSession | undefined): session is PrinterSession =>
      session !== undefined && camera?.protocol(session) !== undefined,

    /** Takes a picture. @param id of the alert, 24 hexadecimal digits @returns the reference; empty if there is none */
    async takePicture (session: PrinterSession, id: string, mostBytes: number): Promise<string> {
      if (camera === undefined) return ''
      const { jpeg } = await camera.latestFrame(session, {
        maxAgeMs: FRESH_MS, signal: AbortSignal.any([signal, session.signal, timeoutSignal(WITHIN_MS)])
      })
      if (jpeg.length > mostBytes) return ''
      await writePrivateFile(join(await folder(), `${id}.jpg`), jpeg)
      return `${PICTURE}${id}.jpg`
    },

    clip: (recordingId: string): string => `${CLIP}${recordingId}`,

    /** @returns undefined if it no longer exists; the message is then sent without it */
    async read (reference: string): Promise<Attachment | undefined> {
      const file = await fileOf(reference)
      if (file !== undefined) {
        const bytes = await readOwnFile(file).catch(() => undefined)
        return bytes && { kind: 'picture', name: 'picture.jpg', type: 'image/jpeg', bytes }
      }
      if (!reference.startsWith(CLIP)) return undefined
      try {
        const found = recording?.fileOf(reference.slice(CLIP.length))
        if (found === undefined) return undefined
        const bytes = await readFile(join(found.folder, found.name))
        return { kind: 'clip', name: 'clip.mp4', type: 'video/mp4', bytes }
      } catch {
        return undefined
      }
    },

    /** Removes unreferenced pictures. */
    async sweep (references: ReadonlySet<string>): Promise<void> {
      const pictures = await folder()
      for (const name of await readdir(pictures)) {
        if (FILE.test(name) && !references.has(`${PICTURE}${name}`)) await rm(join(pictures, name), { force: true })
      }
    },

    async remove (reference: string): Promise<void> {
      const file = await fileOf(reference)
      if (file !== undefined) await rm(file, { force: true }).catch(() => {})
    }
  }
}

export type Attachments = ReturnType<typeof createAttachments>
