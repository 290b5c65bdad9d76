import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedQueue, privateFolder, writePrivateFile } from '../../core/index.js'
import { BadPhoto } from './errors.js'

/** As sent: a telephone's picture. */
export const MOST_PHOTO_BYTES = 12 * 1024 ** 2
const MOST_PIXELS = 50_000_000
const LONGEST_SIDE = 1_600
const QUALITY = 80
const TYPES = new Set(['jpeg', 'png', 'webp'])

/**
 * Decodes a picture and draws it anew, so that neither places nor anything hidden stays in the file.
 * @throws PRN_ERR_BAD_MAINTENANCE_PHOTO
 */
export async function cleanPhoto (bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    const { format } = await image.metadata()
    if (!TYPES.has(format ?? '')) throw new Error(`it is ${format ?? 'of an unknown kind'}`)
    return await image.rotate().resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: QUALITY }).toBuffer()
  } catch (error) {
    throw new BadPhoto(error instanceof Error ? error.message.split('\n')[0] ?? '' : String(error))
  }
}

const ID = /^[0-9a-f]{16}$/

/** Photos of what was done, as files of this machine. */
export class Photos {
  readonly #folder: () => Promise<string>
  /** One at a time: a decoded photo takes 150 MB. */
  readonly #queue = createKeyedQueue()

  /** @param folder of the plugin */
  constructor (folder: () => Promise<string>) { this.#folder = folder }

  /** @throws PRN_ERR_BAD_MAINTENANCE_PHOTO */
  async store (id: string, bytes: Buffer): Promise<void> {
    const path = await this.#path(id)
    await this.#queue.run('photo', async () => { await writePrivateFile(path, await cleanPhoto(bytes)) })
  }

  /** @returns undefined when there is none here */
  async read (id: string): Promise<Buffer | undefined> {
    if (!ID.test(id)) return undefined
    return await readFile(await this.#path(id)).catch(() => undefined)
  }

  async remove (id: string): Promise<void> { await rm(await this.#path(id), { force: true }) }

  async #path (id: string): Promise<string> {
    if (!ID.test(id)) throw new BadPhoto('its maintenance does not exist')
    return join(await privateFolder(join(await this.#folder(), 'photos')), `${id}.jpg`)
  }
}
