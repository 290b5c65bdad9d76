import { createHash } from 'node:crypto'
import type { VirtualPrinter } from '../../plugins/emulator/index.js'

/** Content of files by their paths; null: there is no such file. */
export type Content = Readonly<Record<string, string | null>>
/** The same as marks that tell contents apart. */
export type Marks = Readonly<Record<string, string>>

const markOf = (content: Buffer | string): string => createHash('md5').update(content).digest('hex')

/** Everything on a printer's card. */
export async function marksOf ({ card }: VirtualPrinter): Promise<Marks> {
  const paths = await card.files()
  return Object.fromEntries(await Promise.all(paths.map(async path =>
    [path, markOf(await card.get(path) ?? '')] as const)))
}

/** Puts files on a card, and takes others from it. */
export async function furnish ({ card }: VirtualPrinter, content: Content): Promise<void> {
  for (const [path, text] of Object.entries(content)) {
    if (text !== null) await card.put(path, text)
    else if (await card.get(path) !== undefined) await card.remove(path)
  }
}

/** What a card holds after a change. */
export function changed (before: Marks, change: Content): Marks {
  const marks = { ...before, ...Object.fromEntries(Object.entries(change).map(([path, text]) => [path, markOf(text ?? '')])) }
  const gone = new Set(Object.entries(change).filter(([, text]) => text === null).map(([path]) => path))
  return Object.fromEntries(Object.entries(marks).filter(([path]) => !gone.has(path)).sort(byPath))
}

const byPath = ([a]: readonly [string, string], [b]: readonly [string, string]): number => a < b ? -1 : 1
