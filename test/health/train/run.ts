// npm run health:train [-- --share N --cache FOLDER]
//
// Learns what a tangle looks like from generated prints with seeds that test nothing, and writes
// plugins/health/analysis/improved/trees.data.ts. What an analysis remembers depends on what it found, so after the
// features changed run it twice. Takes about forty minutes of one core; --share 0.1 learns from a tenth of the prints.
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Trees } from '../../../plugins/health/analysis/improved/trees.js'
import { boost } from './boost.js'
import { examplesOf, joined } from './examples.js'
import { tuningSets } from './sets.js'

const OUT = join(import.meta.dirname, '..', '..', '..', 'plugins', 'health', 'analysis', 'improved', 'trees.data.ts')
const OPTIONS = { trees: 130, rate: 0.15, least: 20, smoothing: 5 }

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    cache: { type: 'string', default: join(tmpdir(), 'prnd-health-frames') }
  }
})

const short = (value: number): number => Number(value.toPrecision(4))
const listOf = (values: readonly number[]): string => values.map(short).join(', ')
const textOf = ({ features, base, trees }: Trees): string => [
  'import type { Trees } from \'./trees.js\'',
  '',
  '/** Learned by `npm run health:train` from generated prints with seeds that test nothing. */',
  'export const TANGLE_TREES: Trees = {',
  '  features: [',
  features.map(name => `    '${name}'`).join(',\n'),
  '  ],',
  `  base: ${short(base)},`,
  '  trees: [',
  trees.map(tree => `    [\n      ${listOf(tree.slice(0, 14))},\n      ${listOf(tree.slice(14))}\n    ]`).join(',\n'),
  '  ]',
  '}',
  ''
].join('\n')

const examples = []
for (const machine of ['enclosed', 'slinger'] as const) {
  const sets = tuningSets(machine)
  for (const [at, options] of sets.slice(0, Math.ceil(Number(values.share) * sets.length)).entries()) {
    examples.push(...await examplesOf(values.cache, options))
    if (at % 20 === 0) console.error(`${machine}, ${at} of ${sets.length} prints, ${examples.length} cells`)
  }
}
await writeFile(OUT, textOf(boost(joined(examples), OPTIONS)))
console.log(`${examples.length} cells, ${examples.filter(({ label }) => label === 1).length} with a tangle: ${OUT}`)
