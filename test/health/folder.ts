import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { analyse } from '../../plugins/health/analysis/index.js'
import { EMPTY_STATE } from '../../plugins/health/analysis/improved/analysis-state.js'
import { combined } from '../../plugins/health/assess.js'
import { SERIES, type Profile, type Series } from '../../plugins/health/types.js'
import type { HealthDetector } from '../../plugins/health/index.js'
import { thresholdsFor } from '../../plugins/health/verdict.js'
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

/**
 * Judges labelled pictures as the monitor does, those of a sequence a minute apart. One that stands alone is judged as
 * on request: there is no course of a job.
 */
export async function judgeFolder (folder: string, profile: Profile, seriesName = 'UNKNOWN',
  detectors: readonly HealthDetector[] = []): Promise<Judged[]> {
  const series: Series = SERIES.find(name => name === seriesName) ?? 'UNKNOWN'
  const context = contextOf({ series })
  const thresholds = thresholdsFor(context)
  const { signal } = new AbortController()
  const pictures = await (existsSync(join(folder, LABELS)) ? fromLabels(folder) : fromFolders(folder))
  const counts = new Map<string, number>()
  for (const { sequence } of pictures) counts.set(sequence, (counts.get(sequence) ?? 0) + 1)
  const judged: Judged[] = []
  let [memory, before, job, now] = [EMPTY_STATE, '', 0, 0]
  for (const { path, sequence, fails } of pictures) {
    if (sequence !== before) [memory, job] = [EMPTY_STATE, job + 1]
    before = sequence
    const jpeg = await readFile(join(folder, path))
    now += MINUTE_MS
    const found = analyse({ profile, picture: await decode(jpeg), context, memory, now })
    memory = found.memory
    const about = { printer: sequence, job, remember: (counts.get(sequence) ?? 0) > 1, signal }
    const detections = await Promise.all(detectors.map(async detector =>
      await detector.detect({ jpeg, capturedAt: now }, context, about)))
    const score = combined(profile, found.anomaly, detections.filter(one => one !== undefined), thresholds)
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
