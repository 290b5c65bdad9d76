import { plateIn } from './decide/index.js'
import type { Alternative, Job, SlicedFile } from './types.js'

/** How many parts a plate gives: what a person has said, else its objects; undefined while neither is known. */
export function partsOn (file: SlicedFile | undefined, alternative: Pick<Alternative, 'plate'>): number | undefined {
  const { plate } = alternative
  return file?.partCounts?.[plate] ?? (plateIn(file, { file: '', plate })?.parts || undefined)
}

export interface Parts { readonly perCopy: number, readonly finished: number, readonly wanted: number }

/** The parts of a job; undefined while it is unknown how many its plate gives. */
export function partsOfJob (
  { alternatives: [first], needs, copies, finished }: Job, files: ReadonlyMap<string, SlicedFile>
): Parts | undefined {
  const perCopy = first && partsOn(files.get(first.file), first)
  if (perCopy === undefined) return undefined
  return { perCopy, finished: finished * perCopy, wanted: needs.parts ?? copies * perCopy }
}
