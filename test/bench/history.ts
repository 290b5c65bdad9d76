import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, type Kernel } from '../../core/index.js'
import type { Kysely } from '../../plugins/database/index.js'
import daemon from '../../presets/daemon/index.js'
import { madeUp } from '../plugins/history/rows.js'
import type { Row } from './row.js'

const PRINTS = 100_000
const EVERY_MS = 15 * 60_000
const NOW = Date.UTC(2026, 10, 20, 7)
const SINCE = NOW - PRINTS * EVERY_MS
const PRINTS_AT_ONCE = 100
/** SQLite takes a bounded number of values in a statement. */
const ROWS_AT_ONCE = 50
const ASKS = 200
const MOST_MS = 50
const MOST_EXPORT_S = 10
const MIB = 1024 * 1024

async function fill (db: Kysely<any>): Promise<void> {
  await db.transaction().execute(async change => {
    for (let number = 0; number < PRINTS; number += PRINTS_AT_ONCE) {
      const rows = Array.from({ length: PRINTS_AT_ONCE }, (_, at) => madeUp(number + at, SINCE, EVERY_MS)).flat()
      for (const table of ['history_prints', 'history_filaments']) {
        const values = rows.filter(row => row.table === table).map(row => row.values)
        for (let at = 0; at < values.length; at += ROWS_AT_ONCE) {
          await change.insertInto(table).values(values.slice(at, at + ROWS_AT_ONCE)).execute()
        }
      }
    }
  })
}

const ASKED: Readonly<Record<string, (turn: number) => string>> = {
  'newest page': () => '/api/history?limit=50',
  'page further back': turn => `/api/history?limit=50&until=${NOW - turn * 400 * EVERY_MS}`,
  'failed prints of one printer': turn => `/api/history?limit=50&result=failed&printer_name=printer-${turn % 50}`,
  'search with hits': turn => `/api/history?limit=50&text=shelf%20${turn}`,
  'search without a hit': turn => `/api/history?limit=50&text=nothing${turn}`,
  'search among one material': turn => `/api/history?limit=50&material=ABS&text=99${turn}`,
  'statistics of all': () => '/api/history/statistics',
  'statistics of a printer': turn => `/api/history/statistics?printer_name=printer-${turn % 50}`,
  'statistics of some weeks': turn => `/api/history/statistics?since=${NOW - turn * 400 * EVERY_MS}`,
  'statistics of a material': () => '/api/history/statistics?material=PETG'
}

async function measure (kernel: Kernel, urlOf: (turn: number) => string): Promise<readonly number[]> {
  const took: number[] = []
  for (let turn = 0; turn < ASKS; turn++) {
    const begun = performance.now()
    const { statusCode, body } = await kernel.app.inject({ url: urlOf(turn) })
    took.push(performance.now() - begun)
    if (statusCode !== 200) throw new Error(body)
  }
  return took.sort((a, b) => a - b)
}

const residentMiB = (): number => process.memoryUsage().rss / MIB

/** Every print as CSV, read as fast as it comes; and how much memory the process takes before and at most. */
async function exportAll (kernel: Kernel): Promise<Row> {
  globalThis.gc?.()
  const before = residentMiB()
  let most = before
  let lines = 0
  const begun = performance.now()
  for await (const chunk of kernel.services.history.exported('csv', {})) {
    lines += String(chunk).split('\r\n').length - 1
    most = Math.max(most, residentMiB())
  }
  const took = (performance.now() - begun) / 1000
  if (lines !== PRINTS + 1) throw new Error(`${lines} lines instead of ${PRINTS + 1}`)
  return {
    name: 'history: export of 100,000 prints',
    ours: took,
    unit: 's',
    bar: { atMost: MOST_EXPORT_S },
    note: `memory ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`
  }
}

/** ms of each question to a record of 100,000 prints in SQLite, the answer's JSON included. */
export async function history (): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'prnd-bench-history-'))
  const kernel = await createKernel(daemon, { dataDir, log: { file: false }, printers: [] })
  await kernel.start({ listen: false })
  try {
    await kernel.services.database.query(fill)
    const first = performance.now()
    await kernel.app.inject({ url: '/api/history/statistics' })
    const rows: Row[] = [{ name: 'history: first statistics, all sums', ours: performance.now() - first, unit: 'ms' }]
    for (const [name, urlOf] of Object.entries(ASKED)) {
      const took = await measure(kernel, urlOf)
      rows.push({
        name: `history: ${name}, p99`,
        ours: took[Math.floor(ASKS * 0.99)] ?? NaN,
        unit: 'ms',
        bar: { atMost: MOST_MS },
        note: `median ${(took[ASKS / 2] ?? NaN).toFixed(1)} ms`
      })
    }
    rows.push(await exportAll(kernel))
    return rows
  } finally {
    await kernel.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
