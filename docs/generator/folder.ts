import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Every printed page begins with it. */
export const NOTE = '<!-- Printed by `npm run docs` from the running pieces. Do not edit: change what it is printed from. -->\n\n'

/** How a folder differs from what would be printed into it. */
export interface Difference {
  /** Pages that are missing or read otherwise. */
  readonly stale: readonly string[]
  /** Pages of an earlier time that would not be printed now. What was not printed is none of them. */
  readonly left: readonly string[]
}

async function textsIn (folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.md'))
  return new Map(await Promise.all(names.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const)))
}

export async function compare (folder: string, pages: Readonly<Record<string, string>>): Promise<Difference> {
  const texts = await textsIn(folder)
  return {
    stale: Object.entries(pages).filter(([name, text]) => texts.get(name) !== text).map(([name]) => name).sort(),
    left: [...texts].filter(([name, text]) => !(name in pages) && text.startsWith(NOTE)).map(([name]) => name).sort()
  }
}

/** Makes a folder hold the pages. @returns what it had to write and to take away */
export async function bring (folder: string, pages: Readonly<Record<string, string>>): Promise<Difference> {
  const { stale, left } = await compare(folder, pages)
  await mkdir(folder, { recursive: true })
  for (const name of left) await rm(join(folder, name))
  for (const name of stale) await writeFile(join(folder, name), pages[name] ?? '')
  return { stale, left }
}
