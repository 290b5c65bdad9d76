import type { CardEntry } from '../files/index.js'
import type { Plate } from './read/project.js'
import type { Source } from './project-document.js'

/** What is kept of one file: its project, and as many plates and pictures as were asked for. */
export interface CachedProject {
  readonly source: Source
  readonly plates: Map<number, Plate>
  readonly images: Map<string, Buffer | undefined>
}

/** The file is still what it was when it was read, as far as what is known of it now tells. */
export const isSame = (read: CardEntry, now: CardEntry): boolean => read.size === now.size &&
  read.modifiedAt === now.modifiedAt && (now.changedAt === undefined || read.changedAt === now.changedAt)
