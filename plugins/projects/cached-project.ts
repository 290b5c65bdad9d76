import type { CardEntry } from '../files/index.js'
import type { Plate } from './read/project.js'
import type { Source } from './project-document.js'

/** The cached parts of one file: its project, and the plates and pictures requested so far. */
export interface CachedProject {
  readonly source: Source
  readonly plates: Map<number, Plate>
  readonly images: Map<string, Buffer | undefined>
}

/** Whether a file is unchanged since it was read, by its size and times. */
export const isSame = (read: CardEntry, now: CardEntry): boolean => read.size === now.size &&
  read.modifiedAt === now.modifiedAt && (now.changedAt === undefined || read.changedAt === now.changedAt)
