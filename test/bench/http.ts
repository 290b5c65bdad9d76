import autocannon from 'autocannon'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDaemon, startHelper } from './processes.js'
import { median, type Row } from './row.js'

const PORT = 47_811
const RUNS = 3
const SECONDS = 3
const CONNECTIONS = 10

const perSecond = async (url: string): Promise<number> => {
  const { requests } = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS })
  return requests.average
}

/** Requests a second of a route and of a bare one that sends the same bytes, taking turns. */
export async function http (paths: readonly string[] = ['/api/printer', '/api/printers', '/api/openapi.json']): Promise<Row[]> {
  const fleet = await startHelper<{ printers: object[] }>('virtual-fleet', ['4', 'printing'])
  const daemon = await startDaemon({ printers: fleet.hello.printers }, PORT)
  await new Promise(resolve => setTimeout(resolve, 3_000)) // until every printer has reported
  const folder = await mkdtemp(join(tmpdir(), 'prnd-bench-'))
  const files: Record<string, string> = {}
  for (const path of paths) {
    const bytes = Buffer.from(await (await fetch(daemon.url + path)).arrayBuffer())
    files[path] = join(folder, `${Object.keys(files).length}.json`)
    await writeFile(files[path], bytes)
  }
  const bare = await startHelper<{ url: string }>('bare-server', [JSON.stringify(files)])
  const rows: Row[] = []
  for (const path of paths) {
    const ours: number[] = []
    const theirs: number[] = []
    for (let run = 0; run < RUNS; run++) {
      ours.push(await perSecond(daemon.url + path))
      theirs.push(await perSecond(bare.hello.url + path))
    }
    rows.push({ name: `GET ${path}`, ours: median(ours), baseline: median(theirs), unit: '/s', bar: { atLeast: 0.6 }, note: 'four virtual printers printing' })
  }
  await bare.stop()
  await daemon.stop()
  await fleet.stop()
  await rm(folder, { recursive: true, force: true })
  return rows
}
