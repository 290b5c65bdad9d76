import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { analyse } from '../../plugins/health/analysis/index.js'
import { EMPTY_STATE } from '../../plugins/health/analysis/improved/analysis-state.js'
import { SERIES, type Profile, type Series } from '../../plugins/health/types.js'
import { contextOf } from './context.js'
import { decode } from './evaluate.js'
import { auc, detectionAt, type Scored } from './figures.js'

const PICTURE = /\.(jpe?g|png|webp)$/i
/** Names of folders with pictures of failures; all others hold good ones. */
const FAILING = /^(fail|failing|failed|spaghetti|bad|positive)$/i
const FALSE_SHARE = 0.05

/**
 * Scores a folder of labelled pictures. Each folder in it is one label; a folder of folders below that is a
 * sequence, whose pictures are taken in the order of their names as a minute apart.
 */
export async function scoreFolder (folder: string, profile: Profile, seriesName = 'UNKNOWN') {
  const series: Series = SERIES.find(name => name === seriesName) ?? 'UNKNOWN'
  const scored: Scored[] = []
  for (const label of await foldersIn(folder)) {
    const fails = FAILING.test(label)
    const singles = (await picturesIn(join(folder, label))).map(path => [path])
    const sequences = await Promise.all((await foldersIn(join(folder, label))).map(name =>
      picturesIn(join(folder, label, name))))
    for (const paths of [...singles, ...sequences]) {
      for (const score of await scoresOf(paths, profile, series)) scored.push({ score, fails })
    }
  }
  return {
    good: scored.filter(({ fails }) => !fails).length,
    failing: scored.filter(({ fails }) => fails).length,
    auc: auc(scored),
    detection: detectionAt(scored, FALSE_SHARE)
  }
}

const foldersIn = async (folder: string) => (await readdir(folder, { withFileTypes: true }))
  .filter(entry => entry.isDirectory()).map(({ name }) => name).sort()
const picturesIn = async (folder: string) => (await readdir(folder, { withFileTypes: true }))
  .filter(entry => entry.isFile() && PICTURE.test(entry.name)).map(({ name }) => join(folder, name)).sort()

async function scoresOf (paths: readonly string[], profile: Profile, series: Series): Promise<number[]> {
  const scores: number[] = []
  let memory = EMPTY_STATE
  let now = 0
  for (const path of paths) {
    const picture = await decode(await readFile(path))
    const found = analyse({ profile, picture, context: contextOf({ series }), memory, now: now += 60_000 })
    memory = found.memory
    scores.push(found.anomaly)
  }
  return scores
}
