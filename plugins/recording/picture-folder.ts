import { lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** JPEGs in a folder, in their order. When they become too many every second one goes, and the step doubles. */
export interface PictureFolder {
  readonly count: number
  readonly bytes: number
  /** Of the pictures that come, every so manieth should be added. */
  readonly step: number
  add (jpeg: Buffer): Promise<void>
  /** From the first to the last, read one at a time. */
  pictures (): AsyncIterable<Buffer>
}

/** A minute and forty seconds at 30 pictures a second. */
const MOST_PICTURES = 3_000

const NAME = /^\d{6}\.jpg$/
const nameOf = (number: number): string => `${String(number).padStart(6, '0')}.jpg`

export interface PictureFolderOptions {
  /** @default 3,000 */
  readonly most?: number
  /** What {@link PictureFolder.step} was when the folder was left. @default 1 */
  readonly step?: number
}

interface Kept { readonly name: string, readonly bytes: number }

async function read (folder: string): Promise<Kept[]> {
  const names = (await readdir(folder)).filter(name => NAME.test(name)).sort()
  const found = await Promise.all(names.map(async name => ({ name, info: await lstat(join(folder, name)) })))
  return found.filter(({ info }) => info.isFile()).map(({ name, info }) => ({ name, bytes: info.size }))
}

/** @param folder that exists; the pictures in it are taken over */
export async function openPictureFolder (folder: string, options: PictureFolderOptions = {}): Promise<PictureFolder> {
  const { most = MOST_PICTURES } = options
  let { step = 1 } = options
  let kept = await read(folder)
  let next = Number.parseInt(kept.at(-1)?.name ?? '0', 10) + 1

  async function halve (): Promise<void> {
    const gone = kept.filter((_, at) => at % 2 === 1)
    kept = kept.filter((_, at) => at % 2 === 0)
    step *= 2
    for (const { name } of gone) await rm(join(folder, name), { force: true })
  }

  return {
    get count () { return kept.length },
    get bytes () { return kept.reduce((sum, { bytes }) => sum + bytes, 0) },
    get step () { return step },
    async add (jpeg) {
      const name = nameOf(next++)
      await writeFile(join(folder, name), jpeg, { flag: 'wx', mode: 0o600 })
      kept.push({ name, bytes: jpeg.length })
      if (kept.length >= most) await halve()
    },
    async * pictures () { for (const { name } of kept) yield await readFile(join(folder, name)) }
  }
}
