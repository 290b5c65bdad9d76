import t from 'tap'
import { decide, problem, type PrinterView, type WaitingJob } from '../../../../plugins/queue/decide/index.js'
import { opensAt } from '../../../../plugins/queue/decide/hours.js'
import { forecast } from '../../../../plugins/queue/forecast/index.js'
import type { HeatRecord, Run } from '../../../../plugins/queue/types.js'
import { finder, printerView, queueView, slicedFile, tray, waitingJob } from '../views.js'

const A = slicedFile('a')
const NOON = new Date(2026, 0, 5, 12).getTime()
const MIN = 60_000

/** `job: printer from-to [waits for]`, in minutes from noon. */
async function expectedOf (printers: readonly PrinterView[], jobs: readonly WaitingJob[],
  runs: readonly Partial<Run>[] = [], rest: Parameters<typeof queueView>[3] = {},
  heats: Record<string, HeatRecord> = {}) {
  const view = queueView(printers, jobs, [A], rest)
  const snapshot = { runs: runs as readonly Run[], heats: new Map(Object.entries(heats)) }
  const { slots } = forecast(view, decide(view, await finder()), snapshot)
  return [...slots.values()].flat().sort((a, b) => a.startsAt - b.startsAt)
    .map(({ job, printer, startsAt, endsAt, waitsFor = '' }) =>
      `${job}: ${printer} ${(startsAt - NOON) / MIN}-${(endsAt - NOON) / MIN} ${waitsFor}`.trim())
}

t.test('copies are expected on the printer that is free first, in the order of the queue', async t => {
  const busy = printerView('busy', { problem: problem('busy', 'at_job', { job: 'x' }) })
  const runs = [{ serial: 'busy', job: 'x', state: 'printing', sentAt: NOON - 5 * MIN, createdAt: NOON, seconds: 1_200 } as const]
  const jobs = [waitingJob('late', { position: 2 }), waitingJob('first', { priority: 1, copies: 3 }), waitingJob('next', { position: 1 })]
  t.same(await expectedOf([busy, printerView('free')], jobs, runs),
    ['first: free 0-10', 'first: free 10-20', 'first: busy 15-25', 'next: free 20-30', 'late: busy 25-35'])
})

t.test('what a person has to do first is said, and printers that need repair are the last choice', async t => {
  const used = printerView('used', { plate: 'used' })
  const fault = printerView('fault', { problem: problem('absent', 'fault', { fault: 'x' }) })
  const gone = printerView('gone', { problem: problem('absent', 'not_connected') })
  const empty = printerView('empty', { trays: [tray(0, 'ABS', '#000000')] })
  t.same(await expectedOf([used, fault, gone, empty], [waitingJob('j', { copies: 2 })]), ['j: used 0-10 plate', 'j: used 10-20 plate'])
  t.same(await expectedOf([fault, gone, empty], [waitingJob('j')]), ['j: fault 0-10 printer'])
  t.same(await expectedOf([gone, empty], [waitingJob('j')]), [], 'nothing is expected where nothing suits')
  t.same(await expectedOf([printerView('p')], [waitingJob('j')], [], { isPaused: true }), ['j: p 0-10 resume'])
  t.same(await expectedOf([printerView('p')], [waitingJob('j', { held: true })]), [], 'held jobs are not expected')
})

t.test('working hours, spacing and the earliest start are kept', async t => {
  const group = { name: 'g', isPaused: false, hours: undefined, spacingMs: 0, startedAt: 0 }
  const hours = printerView('p', { groups: [{ ...group, hours: { from: '13:00', to: '13:15' } }] })
  t.same(await expectedOf([hours], [waitingJob('j', { copies: 3 })]), ['j: p 60-70', 'j: p 70-80', `j: p ${25 * 60}-${25 * 60 + 10}`])
  t.same(await expectedOf([hours], [waitingJob('j', { copies: 2 }, { endInHours: true })]),
    ['j: p 60-70', `j: p ${25 * 60}-${25 * 60 + 10}`], 'within the hours to its end')
  const spaced = ['p', 'q'].map(name => printerView(name, { groups: [{ ...group, spacingMs: 4 * MIN, startedAt: NOON - MIN }] }))
  t.same(await expectedOf(spaced, [waitingJob('j', { copies: 2 })]), ['j: p 3-13', 'j: q 7-17'])
  t.same(await expectedOf([printerView('p')], [waitingJob('j', { notBefore: NOON + 5 * MIN })]), ['j: p 5-15'])
  t.equal(opensAt({ from: '08:00', to: '09:00', days: [1] }, NOON), new Date(2026, 0, 12, 8).getTime())
  t.equal(opensAt({ from: '08:00', to: '09:00' }, NOON, 61), undefined)
})

t.test('warming before a print takes its time, also what goes on and what the table of materials says', async t => {
  const soak = { bedC: 85, chamberC: 0, minutes: 15, otherwise: 'ask' } as const // 5 min to heat the bed by 60 °C
  const jobs = [waitingJob('warmed', {}, { soak }), waitingJob('next', { position: 1 })]
  t.same(await expectedOf([printerView('p')], jobs), ['warmed: p 0-30', 'next: p 30-40'])
  const warming = { rows: [{ material: 'PLA', bed: 55, chamber: null, minutes: 5 }], otherwise: 'ask' as const }
  t.same(await expectedOf([printerView('p')], [waitingJob('j'), waitingJob('own', { position: 1 }, { soak: null })], [], { warming }),
    ['j: p 0-17.5', 'own: p 17.5-27.5'], 'a job that wants none is not warmed')

  const busy = printerView('p', { problem: problem('busy', 'soaking', { job: 'x' }) })
  const run = { id: 'r', serial: 'p', job: 'x', state: 'preparing', createdAt: NOON - 20 * MIN, seconds: 600 } as const
  const heat = { run: 'r', printer: 'p', owner: '', bedC: 85, chamberC: 0, minutes: 15, heatedAt: NOON - 15 * MIN, warmAt: NOON - 10 * MIN }
  t.same(await expectedOf([busy], [waitingJob('next')], [run], {}, { p: heat }), ['next: p 15-25'], 'five minutes of warmth are left')
  t.same(await expectedOf([busy], [waitingJob('next')], [{ ...run, createdAt: NOON }]), ['next: p 10-20'])
  const hours = printerView('p', { groups: [{ name: 'g', isPaused: false, hours: { from: '08:00', to: '12:20' }, spacingMs: 0, startedAt: 0 }] })
  const late = await expectedOf([hours], [waitingJob('warmed', {}, { soak, endInHours: true })])
  t.same(late, [`warmed: p ${20 * 60}-${20 * 60 + 30}`], 'it would end after the working hours')
  const today = queueView([hours], [waitingJob('warmed', {}, { soak, endInHours: true })], [A])
  t.same(decide(today, await finder()).starts, [], 'so it does not start')
})
