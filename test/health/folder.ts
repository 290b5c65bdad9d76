import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { analyse } from '../../plugins/health/analysis/index.js'
import { EMPTY_STATE } from '../../plugins/health/analysis/improved/analysis-state.js'
import { combined } from '../../plugins/health/assess.js'
import { SERIES, type Profile, type Series } from '../../plugins/health/types.js'
import type { Detection } from '../../plugins/health/index.js'
import { contextOf } from './context.js'
import { decode } from './evaluate.js'
import { auc, detectionAt, type Scored } from './figures.js'

const PICTURE = /\.(jpe?g|png|webp)$/i
/** Names of labels that are failures; others are good ones, and some are left out. */
const FAILING = /^(fail|failing|failed|failure|spaghetti|bad|positive)$/i
const LEFT_OUT = /^(unknown|ignore|running)$/i
const LABELS = 'labels.csv'
const FALSE_SHARE = 0.05
const MINUTE_MS = 60_000

/** One picture and what was found in it. */
export interface Judged extends Scored {
  /** From the folder on. */
  readonly path: string
  readonly sequence: string
  /** Without networks. */
  readonly compared: number
}

/** A network's opinion of a picture; `first` begins a sequence. */
export type Opinion = (picture: Buffer, first: boolean, at: number) => Promise<readonly Detection[]>

interface Labelled { readonly path: string, readonly sequence: string, readonly fails: boolean }

const foldersIn = async (folder: string) => (await readdir(folder, { withFileTypes: true }))
  .filter(entry => entry.isDirectory()).map(({ name }) => name).sort()
const picturesIn = async (folder: string) => (await readdir(folder, { withFileTypes: true }))
  .filter(entry => entry.isFile() && PICTURE.test(entry.name)).map(({ name }) => join(folder, name)).sort()

/** Lines of `path,label` or `path,label,sequence`; without a sequence the pictures of a line stand alone. */
async function fromLabels (folder: string): Promise<Labelled[]> {
  const text = await readFile(join(folder, LABELS), 'utf8')
  const lines = text.split(/\r?\n/).map(line => line.split(',').map(part => part.trim()))
  return lines.filter(([path = '', label = '']) => PICTURE.test(path) && label !== '' && !LEFT_OUT.test(label))
    .map(([path = '', label = '', sequence = path]) => ({ path, sequence, fails: FAILING.test(label) }))
}

/** Each folder is one label; a folder of folders below that is a sequence, in the order of the names. */
async function fromFolders (folder: string): Promise<Labelled[]> {
  const found: Labelled[] = []
  for (const label of (await foldersIn(folder)).filter(name => !LEFT_OUT.test(name))) {
    const fails = FAILING.test(label)
    const sequences = await foldersIn(join(folder, label))
    const inside = await Promise.all(sequences.map(name => picturesIn(join(folder, label, name))))
    for (const path of await picturesIn(join(folder, label))) {
      found.push({ path: relative(folder, path), sequence: path, fails })
    }
    for (const path of inside.flat()) found.push({ path: relative(folder, path), sequence: dirname(path), fails })
  }
  return found
}

/** Judges labelled pictures, those of a sequence as a minute apart. */
export async function judgeFolder (folder: string, profile: Profile, seriesName = 'UNKNOWN',
  opinion?: Opinion): Promise<Judged[]> {
  const series: Series = SERIES.find(name => name === seriesName) ?? 'UNKNOWN'
  const pictures = await (existsSync(join(folder, LABELS)) ? fromLabels(folder) : fromFolders(folder))
  const judged: Judged[] = []
  let [memory, before, now] = [EMPTY_STATE, '', 0]
  for (const { path, sequence, fails } of pictures) {
    const isFirst = sequence !== before
    if (isFirst) memory = EMPTY_STATE
    before = sequence
    const bytes = await readFile(join(folder, path))
    now += MINUTE_MS
    const found = analyse({ profile, picture: await decode(bytes), context: contextOf({ series }), memory, now })
    memory = found.memory
    const score = combined(profile, found.anomaly, await opinion?.(bytes, isFirst, now) ?? [])
    judged.push({ path, sequence, fails, score, compared: found.anomaly })
  }
  return judged
}

export const summaryOf = (judged: readonly Judged[]) => ({
  good: judged.filter(({ fails }) => !fails).length,
  failing: judged.filter(({ fails }) => fails).length,
  auc: auc(judged),
  detection: detectionAt(judged, FALSE_SHARE)
})
