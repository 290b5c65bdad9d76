import { lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** JPEGs in a folder, in order. At the limit every second one is removed, and the step doubles. */
export interface PictureFolder {
  readonly count: number
  readonly bytes: number
  /** Only every `step`th picture should be added. */
  readonly step: number
  add (jpeg: Buffer): Promise<void>
  /** In order, read one at a time. */
  pictures (): AsyncIterable<Buffer>
}

/** 100 seconds at 30 pictures per second. */
const MOST_PICTURES = 3_000

const NAME = /^\d{6}\.jpg$/
const nameOf = (number: number): string => `${String(number).padStart(6, '0')}.jpg`

export interface PictureFolderOptions {
  /** @default 3,000 */
  readonly most?: number
  /** The last {@link PictureFolder.step} of an existing folder. @default 1 */
  readonly step?: number
}

interface StoredPicture { readonly name: string, readonly bytes: number }

async function read (folder: string): Promise<StoredPicture[]> {
  const names = (await readdir(folder)).filter(name => NAME.test(name)).sort()
  const found = await Promise.all(names.map(async name => ({ name, info: await lstat(join(folder, name)) })))
  return found.filter(({ info }) => info.isFile()).map(({ name, info }) => ({ name, bytes: info.size }))
}

/** @param folder must exist; pictures in it are included */
export async function openPictureFolder (folder: string, options: PictureFolderOptions = {}): Promise<PictureFolder> {
  const { most = MOST_PICTURES } = options
  let { step = 1 } = options
  let stored = await read(folder)
  let next = Number.parseInt(stored.at(-1)?.name ?? '0', 10) + 1

  async function halve (): Promise<void> {
    const gone = stored.filter((_, at) => at % 2 === 1)
    stored = stored.filter((_, at) => at % 2 === 0)
    step *= 2
    for (const { name } of gone) await rm(join(folder, name), { force: true })
  }

  return {
    get count () { return stored.length },
    get bytes () { return stored.reduce((sum, { bytes }) => sum + bytes, 0) },
    get step () { return step },
    async add (jpeg) {
      const name = nameOf(next++)
      await writeFile(join(folder, name), jpeg, { flag: 'wx', mode: 0o600 })
      stored.push({ name, bytes: jpeg.length })
      if (stored.length >= most) await halve()
    },
    async * pictures () { for (const { name } of stored) yield await readFile(join(folder, name)) }
  }
}
