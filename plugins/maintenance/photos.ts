import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedQueue, privateFolder, writePrivateFile } from '../../core/index.js'
import { BadPhoto, PhotosFull } from './errors.js'

/** As sent: a telephone's picture. */
export const MOST_PHOTO_BYTES = 12 * 1024 ** 2
const MOST_PIXELS = 50_000_000
const LONGEST_SIDE = 1_600
const QUALITY = 80
const TYPES = new Set(['jpeg', 'png', 'webp'])
/** How each of these begins. */
const BEGINNINGS = [Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('RIFF')]

export interface PhotoLimits { readonly photos: number, readonly bytes: number }

/** Whoever may mark maintenance as done must not fill the disk. */
const LIMITS: PhotoLimits = { photos: 1_000, bytes: 300 * 1024 ** 2 }

/**
 * Decodes a picture and draws it anew, so that neither places nor anything hidden stays in the file.
 * @throws PRN_ERR_BAD_MAINTENANCE_PHOTO
 */
export async function cleanPhoto (bytes: Buffer): Promise<Buffer> {
  // Before any of the decoder's many readers sees it.
  if (!BEGINNINGS.some(begin => bytes.subarray(0, begin.length).equals(begin))) throw new BadPhoto('it is of another kind')
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

  readonly #limits: PhotoLimits

  /** @param folder of the plugin */
  constructor (folder: () => Promise<string>, limits = LIMITS) {
    this.#folder = folder
    this.#limits = limits
  }

  /** @throws PRN_ERR_BAD_MAINTENANCE_PHOTO, PRN_ERR_MAINTENANCE_PHOTOS_FULL */
  async store (id: string, bytes: Buffer): Promise<void> {
    const path = await this.#path(id)
    await this.#queue.run('photo', async () => {
      const photo = await cleanPhoto(bytes)
      await this.#refuseFull(`${id}.jpg`, photo.length)
      await writePrivateFile(path, photo)
    })
  }

  /** A photo that is replaced does not count. */
  async #refuseFull (name: string, size: number): Promise<void> {
    const folder = await this.#photos()
    const others = (await readdir(folder)).filter(other => other !== name)
    const sizes = await Promise.all(others.map(other => stat(join(folder, other)).then(({ size }) => size, () => 0)))
    const bytes = sizes.reduce((sum, one) => sum + one, size)
    if (others.length >= this.#limits.photos || bytes > this.#limits.bytes) throw new PhotosFull(others.length)
  }

  /** @returns undefined when there is none here */
  async read (id: string): Promise<Buffer | undefined> {
    if (!ID.test(id)) return undefined
    return await readFile(await this.#path(id)).catch(() => undefined)
  }

  async remove (id: string): Promise<void> { await rm(await this.#path(id), { force: true }) }

  async #path (id: string): Promise<string> {
    if (!ID.test(id)) throw new BadPhoto('its maintenance does not exist')
    return join(await this.#photos(), `${id}.jpg`)
  }

  async #photos (): Promise<string> { return await privateFolder(join(await this.#folder(), 'photos')) }
}
