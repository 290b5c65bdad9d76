import t, { type Test } from 'tap'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { migrations } from '../../../../plugins/queue/migrations.js'
import { keptUntil, lastStart, spacingsOf } from '../../../../plugins/queue/spacings.js'
import { createStore } from '../../../../plugins/queue/store/index.js'
import type { HeatRecord, Run } from '../../../../plugins/queue/types.js'
import { testFolder } from '../../../helpers/folder.js'
import { waitingJob } from '../views.js'

const MINUTE = 60_000
const NOW = 1_700_000_000_000
const HOURS = 3
/** Minutes between two looks of the queue. */
const STEP = 5
/** After so many minutes a warming is given up. */
const LONGEST = 61

async function openStore (t: Test) {
  const db = await connectSqlite(async () => testFolder(t))()
  t.teardown(() => db.destroy())
  for (const { up } of migrations) await up(db, 'sqlite' as never)
  const store = createStore({ query: (work: any) => work(db) } as never, [])
  await store.addJob(waitingJob('job', { copies: 1_000 }).job)
  return store
}

const runOn = (serial: string, createdAt: number) => ({
  id: `${serial} ${createdAt}`,
  job: 'job',
  serial,
  printer: serial,
  state: 'preparing',
  owner: '',
  task: 1,
  file: 'a',
  plate: 1,
  path: '/a',
  before: undefined,
  seconds: 0,
  createdAt,
  sentAt: undefined,
  endedAt: undefined,
  reason: '',
  print: ''
}) as Run

interface Warming { readonly run: Run, readonly beganAt: number }

/** A group for some hours: each printer takes as much as it may, is warmed for so many minutes, and prints at once. */
async function simulate (t: Test, spacing: number, warming: Record<string, number>) {
  const store = await openStore(t)
  const printers = Object.keys(warming)
  const spacings = [{ group: 'fuse', ms: spacing * MINUTE, names: printers, serials: printers }]
  const end = async (run: Run, state: 'finished' | 'not_started', now: number) => {
    await store.endHeat({ run: run.id })
    await store.end(run, { state, reason: '', plate: 'clear', identity: '', by: '', now, mostFailures: 0 })
  }
  const warmed = new Map<string, Warming>()
  const started: number[] = []
  let inVain = 0
  for (const serial of printers) await store.confirmClear({ serial, identity: '', by: '', now: NOW })
  for (let minute = 0; minute < HOURS * 60; minute += STEP) {
    const now = NOW + minute * MINUTE
    for (const serial of printers) {
      const { run = runOn(serial, now), beganAt = minute } = warmed.get(serial) ?? {}
      if (!warmed.has(serial)) {
        if (!await store.claim(run, spacings)) continue
        const heat = { run: run.id, printer: serial, owner: '', bedC: 100, chamberC: 0, minutes: 45, heatedAt: now, warmAt: undefined }
        await store.beginHeat(serial, heat)
        warmed.set(serial, { run, beganAt })
      } else if (minute - beganAt >= warming[serial]! && await store.takeTurnAgain(run, spacings, now)) {
        started.push(minute)
        await end(run, 'finished', now)
        warmed.delete(serial)
      } else if (minute - beganAt >= LONGEST) {
        inVain++
        await end(run, 'not_started', now)
        warmed.delete(serial)
      }
    }
  }
  return { started, inVain, gaps: started.slice(1).map((minute, at) => minute - started[at]!) }
}

t.test('printers of a group that are warmed for longer than its spacing print, none is warmed in vain', async t => {
  const { started, inVain, gaps } = await simulate(t, 40, { one: 50, two: 50 })
  t.equal(inVain, 0)
  t.ok(started.length >= 2, `prints began after ${started} minutes`)
  t.ok(gaps.every(gap => gap >= 40), 'and keep the spacing')
})

t.test('of many printers that wait warm, each begins before its hour is over', async t => {
  const { started, inVain } = await simulate(t, 10, { a: 58, b: 45, c: 50, d: 20, e: 50 })
  t.equal(inVain, 0)
  t.ok(started.length >= 6, `prints began after ${started} minutes`)
})

t.test('the queue waits as long as a start would take the last turn of a warmed printer', t => {
  const group = { name: 'fuse', printers: ['x1', 'elsewhere'], spacingSeconds: 2_400, selfClearing: false }
  const printers = { config: (name: string) => name === 'x1' ? { serial: 'S1' } : undefined } as never
  const [spacing] = spacingsOf([{ ...group, spacingSeconds: 0 }, group], printers)
  t.same(spacing, { group: 'fuse', ms: 40 * MINUTE, names: ['x1', 'elsewhere'], serials: ['S1'] })
  const kept = (minutes: number) => keptUntil({ heatedAt: NOW }, 40 * MINUTE, NOW + minutes * MINUTE)
  t.equal(kept(20), 0, 'it may begin after 60 minutes')
  t.same([kept(21), kept(60)], [NOW + 61 * MINUTE, NOW + 61 * MINUTE])
  t.equal(kept(61), 0, 'what has not begun by now does not any more')
  const at = (serial: string, printer: string, state: Run['state'] = 'preparing') => lastStart(group, {
    groupStarts: new Map([['fuse', NOW]]),
    heats: new Map([[serial, { run: 'r', printer, heatedAt: NOW } as HeatRecord]]),
    runs: [{ id: 'r', state } as Run]
  }, printers, NOW + 45 * MINUTE) - NOW
  t.equal(at('S1', 'old name'), 21 * MINUTE, 'so the next one starts after 61 minutes')
  t.equal(at('S2', 'elsewhere'), 21 * MINUTE, 'at another service')
  t.equal(at('S3', 'x3'), 0)
  t.equal(at('S1', 'x1', 'sending'), 0, 'it has begun')
  t.end()
})
