// `npm run bench [names]`: measures, prints a table, writes test/bench/results/latest.json.
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importAsShipped } from './as-shipped.js'
import { holds, ratioOf, tableOf, type Row } from './row.js'

const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  ingest: async () => await (await importAsShipped<typeof import('./ingest.js')>('ingest')).ingest(),
  http: async () => await (await import('./http.js')).http(),
  start: async () => await (await import('./start.js')).start(),
  fleet: async () => await (await import('./fleet.js')).fleet(),
  'fleet-page': async () => await (await import('./fleet-page.js')).fleetPage(),
  'fleet-300': async () => await (await import('./fleet-figures/real.js')).real(),
  'fleet-2000': async () => await (await import('./fleet-figures/simulated.js')).simulated(),
  'fleet-absent': async () => await (await import('./fleet-figures/absent.js')).absent(),
  metrics: async () => await (await import('./metrics.js')).metrics(),
  history: async () => await (await import('./history.js')).history(),
  homeassistant: async () => await (await import('./homeassistant.js')).homeassistant(),
  relay: async () => await (await import('./relay.js')).relay(),
  queue: async () => await (await importAsShipped<typeof import('./queue.js')>('queue')).queue(),
  rules: async () => await (await import('./rules.js')).rules(),
  farm: async () => await (await import('./farm.js')).farm(options),
  card: async () => await (await import('./card.js')).card(),
  camera: async () => await (await import('./camera.js')).camera(),
  snapshot: async () => await (await import('./snapshot.js')).snapshot(),
  video: async () => await (await import('./video.js')).video(),
  health: async () => await (await import('./health.js')).health(),
  toolpath: async () => [
    ...await (await import('./toolpath.js')).toolpath(),
    ...await (await import('./toolpath-viewer.js')).toolpathViewer()
  ],
  'health-model': async () => await (await import('./health-model.js')).healthModel()
}

/** What begins with two hyphens, and all after it, is for the bench itself. */
const { wanted, options } = split(process.argv.slice(2))
const LONG = new Set(['farm'])
const names = wanted.length === 0 ? Object.keys(BENCHES).filter(name => !LONG.has(name)) : wanted
function split (args: readonly string[]) {
  const at = args.findIndex(arg => arg.startsWith('--'))
  return at < 0 ? { wanted: args, options: [] } : { wanted: args.slice(0, at), options: args.slice(at) }
}

if (wanted[0] === 'fleet-chaos') { // a judgement, not a figure
  const { fleetChaos } = await import('./fleet-chaos/index.js')
  process.exit(await fleetChaos(options) === 0 ? 0 : 1)
}
const rows: Row[] = []
for (const name of names) {
  const bench = BENCHES[name]
  if (!bench) throw new Error(`There is no benchmark '${name}'; there are ${Object.keys(BENCHES).join(', ')}`)
  console.error(`${name} …`)
  rows.push(...await bench())
}
console.log(tableOf(rows))

const folder = join(dirname(fileURLToPath(import.meta.url)), 'results')
await mkdir(folder, { recursive: true })
await writeFile(join(folder, 'latest.json'), JSON.stringify({
  at: new Date().toISOString(),
  node: process.version,
  cpus: cpus().length,
  rows: rows.map(row => ({ ...row, ratio: ratioOf(row), holds: holds(row) }))
}, null, 2))
process.exit(0)
