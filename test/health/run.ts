// npm run health:evaluate -- [--pairs N] [--seed N] [--machine enclosed|slinger] [--only TEXT] [--profiles]
// npm run health:evaluate -- --folder PATH [--series X1|P1|P2|A1|H2] [--networks DATA_DIR] [--trust N]
//   [--out FOLDER]
//
// Prints what is reached on generated prints beside what is asked; --profiles compares both profiles instead.
// Seeds below 1000 and from 1,000,000 on serve for learning and tuning; figures that count come from those between.
import { parseArgs } from 'node:util'
import { PROFILES } from '../../plugins/health/types.js'
import { evaluate, figuresOf, type Figures } from './evaluate.js'
import { judgeFolder, summaryOf } from './folder.js'
import { networksOf } from './networks.js'
import { writeReport } from './report.js'
import { printTable } from './table.js'
import type { Machine } from './scene/camera.js'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1001' },
    machine: { type: 'string', multiple: true },
    folder: { type: 'string' },
    series: { type: 'string' },
    networks: { type: 'string' },
    trust: { type: 'string', default: '1' },
    only: { type: 'string' },
    profiles: { type: 'boolean', default: false },
    out: { type: 'string', default: 'health-report' }
  }
})

const percent = (value: number) => `${(100 * value).toFixed(1)} %`

function rowOf (what: string, figures: Figures): Record<string, string> {
  return {
    what,
    AUC: figures.auc.toFixed(3),
    'detection at 5 % FP': percent(figures.detection),
    'by age': figures.byAge.map(share => Math.round(100 * share)).join(' '),
    'good frames not clean': percent(figures.falseWarnings),
    'good frames critical': percent(figures.falseAlarms),
    'good prints quiet': percent(figures.quiet),
    'failures noticed': percent(figures.noticed),
    'failures critical': percent(figures.alarmed),
    'analyses until noticed': String(figures.delay + 1)
  }
}

if (values.folder !== undefined) {
  const networks = values.networks === undefined ? undefined : await networksOf(values.networks, Number(values.trust))
  try {
    const judged = await judgeFolder(values.folder, 'improved', values.series, networks?.detectors)
    for (const { path, fails, score } of judged) console.log(`${score.toFixed(4)} ${fails ? 'failing' : 'good'} ${path}`)
    console.log(summaryOf(judged))
    console.log(await writeReport(values.folder, values.out, judged))
  } finally {
    networks?.close()
  }
} else if (!values.profiles) {
  await printTable(values.machine as Machine[] | undefined, Number(values.seed), Number(values.pairs), values.only)
} else {
  const rows: Record<string, string>[] = []
  for (const machine of (values.machine ?? ['enclosed', 'slinger']) as Machine[]) {
    const runs = await evaluate(machine, Number(values.seed), Number(values.pairs), PROFILES)
    for (const [profile, found] of runs) rows.push(rowOf(`${machine}, ${profile}`, figuresOf(found)))
  }
  for (const row of rows) console.log(Object.entries(row).map(([key, value]) => `${key}: ${value}`).join('\n  '))
}
