import t from 'tap'
import { decide, textOf, why, type PrinterView, type Waiting, type WaitingJob } from '../../../../plugins/queue/decide/index.js'
import { minutesLeft } from '../../../../plugins/queue/decide/hours.js'
import { hoursProblem } from '../../../../plugins/queue/decide/printers.js'
import { finder, printerView, queueView, slicedFile, tray, waitingJob } from '../views.js'

const A = slicedFile('a')

/** In English. */
const toldBy = ({ reason, printers, isBlocked }: Waiting) =>
  ({ isBlocked, reason: reason && textOf(reason), printers: printers.map(({ why }) => textOf(why)) })

t.test('working hours', async t => {
  const at = (day: number, hour: number) => new Date(2026, 0, 4 + day, hour).getTime() // 5 January is a Monday
  const day = { from: '08:00', to: '18:00', days: [1] }
  t.equal(minutesLeft(day, at(1, 17)), 60)
  t.equal(minutesLeft(day, at(1, 17) + 59_999), 60)
  t.equal(minutesLeft(day, at(1, 18)), 0)
  t.equal(minutesLeft(day, at(2, 12)), 0)
  const night = { from: '22:00', to: '06:00', days: [7] }
  t.equal(minutesLeft(night, at(7, 23)), 7 * 60)
  t.equal(minutesLeft(night, at(8, 5)), 60)
  t.equal(minutesLeft(night, at(7, 5)), 0)
})

t.test('the night in which the clock is put forward is an hour shorter, the other one longer', async t => {
  const { TZ } = process.env
  process.env.TZ = 'Europe/Berlin'
  t.teardown(() => { process.env.TZ = TZ ?? '' })
  const night = { from: '20:00', to: '06:00' }
  for (const [time, hours] of [
    ['2026-03-28T22:00:00Z', 6], ['2026-03-29T00:30:00Z', 3.5], ['2026-03-29T01:30:00Z', 2.5],
    ['2026-10-24T21:00:00Z', 8], ['2026-10-25T00:30:00Z', 4.5], ['2026-10-25T01:30:00Z', 3.5]
  ] as const) t.equal(minutesLeft(night, Date.parse(time)), hours * 60, time)
  t.equal(minutesLeft({ from: '20:00', to: '02:30' }, Date.parse('2026-10-25T01:15:00Z')), 15, 'in the hour that comes twice')
})

t.test('times are also said as milliseconds, for readers in other time zones', t => {
  const noon = new Date(2026, 0, 5, 12).getTime()
  const group = { name: 'g', isPaused: false, hours: { from: '20:00', to: '06:00' }, spacingMs: 0, startedAt: 0 }
  t.match(hoursProblem(group, noon)?.why.values,
    { from: '20:00', from_at: new Date(2026, 0, 5, 20).getTime(), to: '06:00', to_at: new Date(2026, 0, 6, 6).getTime() })
  t.end()
})

t.test('every printer says what keeps a job from it', async t => {
  const choose = await finder()
  const group = { name: 'g', isPaused: true, hours: undefined, spacingMs: 0, startedAt: 0 }
  const noon = new Date(2026, 0, 5, 12).getTime()
  const cases: readonly (readonly [printer: Partial<PrinterView>, job: WaitingJob, reason: RegExp])[] = [
    [{ plate: 'used' }, waitingJob('j'), /plate not confirmed clear/],
    [{ plate: undefined }, waitingJob('j'), /plate not confirmed clear/],
    [{ plate: 'taken' }, waitingJob('j'), /being started/],
    [{ isPaused: true }, waitingJob('j'), /paused/],
    [{ groups: [group] }, waitingJob('j'), /group 'g' is paused/],
    [{ groups: [{ ...group, isPaused: false, hours: { from: '13:00', to: '14:00' } }] }, waitingJob('j'), /working hours/],
    [{ groups: [{ ...group, isPaused: false, spacingMs: 9_000, startedAt: noon - 1_000 }] }, waitingJob('j'), /in 8 s/],
    [{ groups: [{ ...group, isPaused: false, hours: { from: '08:00', to: '12:05' } }] },
      waitingJob('j', {}, { endInHours: true }), /end after the working hours/],
    [{ trays: [] }, waitingJob('j'), /PLA white missing/],
    [{ trays: [tray(0, 'PETG', '#FFFFFF')] }, waitingJob('j', {}, { material: 'any', color: 'any' }), /PLA missing/],
    [{ trays: [tray(0, 'PLA', '#000000')] }, waitingJob('j'), /PLA white missing; AMS slot 0 holds PLA black/],
    [{ trays: [tray(0, 'PLA-CF', '#FFFFFF')] }, waitingJob('j', {}, { material: 'exact' }), /missing/],
    [{ trays: [tray(0, 'PLA', '#F2F2F2')] }, waitingJob('j', {}, { color: 'exact' }), /missing/],
    [{ trays: [tray(0, 'PLA', '#FFFFFF', { remainingG: 2 })] }, waitingJob('j'), /short: 5 g needed, about 2 g/],
    [{ trays: [tray(0, 'PLA', '#FFFFFF', { isDrying: true })] }, waitingJob('j'), /dryer is running/],
    [{}, waitingJob('j', {}, { printers: ['other'] }), /not among the printers/]
  ]
  for (const [printer, job, reason] of cases) {
    const { starts, explain } = decide(queueView([printerView('p', printer)], [job], [A]), choose)
    t.same(starts, [], String(reason))
    t.match(toldBy(explain(job)), { printers: [reason] })
  }
  const wrong = decide(queueView([printerView('p', {}, 'A1')], [waitingJob('j')], [A]), choose)
  t.match(toldBy(wrong.explain(waitingJob('j'))), { isBlocked: true, printers: [/sliced for .*X1/] })
})

t.test('what was judged in a turn before is judged anew when printer or files have changed', async t => {
  const choose = await finder()
  const trays = [tray(0, 'PLA', '#FFFFFF'), tray(1, 'PLA', '#FFFFFF')]
  const one = printerView('one', { trays })
  const job = waitingJob('j')
  const chosen = (printers: readonly PrinterView[], files = [A]) =>
    decide(queueView(printers, [job], files), choose).starts.map(({ printer }) => printer.machine.name)
  t.same(chosen([one], []), [], 'its file is missing')
  t.same(chosen([one]), ['one'], 'and came')
  t.same(chosen([{ ...one, trays: [] }]), [], 'the spools are gone')
  const nozzle = { extruders: [], device: { nozzleDiameterMm: 0.8 } } as unknown as PrinterView['machine']['state']
  t.same(chosen([{ ...one, machine: { ...one.machine, state: nozzle } }]), [], 'another nozzle')
  const two = printerView('two', { used: 1 })
  t.same(chosen([one, two]), ['one'], 'the least used')
  t.same(chosen([one, { ...two, loadedTray: 0 }]), ['two'], 'the one that is loaded')
})

t.test('what is not in order with a job is said once', async t => {
  const choose = await finder()
  const cases = [
    [waitingJob('j', { held: true }), {}, 'held'],
    [waitingJob('j', { notBefore: 9e15 - 9e14 }), {}, /^not before /],
    [waitingJob('j'), { present: new Set<string>() }, /is gone: upload it again/],
    [waitingJob('j'), { isPaused: true }, 'the queue is paused']
  ] as const
  for (const [job, rest, reason] of cases) {
    const { starts, explain } = decide(queueView([printerView('p')], [job], [A], rest), choose)
    t.same(starts, [])
    t.match(toldBy(explain(job)).reason, reason)
  }
})

t.test('the printer with fewest changes, then the least used, is chosen', async t => {
  const choose = await finder()
  const printers = [
    printerView('a', { used: 5, loadedTray: 1 }), printerView('b', { used: 9, loadedTray: 0 }), printerView('c', { used: 1 })
  ]
  const order = (list: readonly PrinterView[]) =>
    decide(queueView(list, [waitingJob('j')], [A]), choose).starts.map(({ printer }) => printer.serial)
  t.same(order(printers), ['b'])
  t.same(order(printers.filter(({ serial }) => serial !== 'b')), ['c'])
})

t.test('a spool that runs out is taken only where the job allows it, and where no other is enough', async t => {
  const choose = await finder()
  const low = printerView('low', { trays: [tray(0, 'PLA', '#FFFFFF', { remainingG: 2 })] })
  const full = printerView('full', { trays: [tray(0, 'PLA', '#FFFFFF', { remainingG: 900 })], used: 1e6 })
  const starts = (printers: readonly PrinterView[], allowLow: boolean) =>
    decide(queueView(printers, [waitingJob('j', {}, { allowLow })], [A]), choose).starts
      .map(({ printer, low }) => [printer.machine.name, low.map(({ neededG, leftG }) => [neededG, leftG])])
  t.same(starts([low], false), [])
  t.same(starts([low], true), [['low', [[5, 2]]]])
  t.same(starts([low, full], true), [['full', []]])
  const both = printerView('both', {
    trays: [tray(0, 'PLA', '#FFFFFF', { remainingG: 2 }), tray(1, 'PLA', '#F8F8F8', { remainingG: 900 })]
  })
  t.same(decide(queueView([both], [waitingJob('j', {}, { allowLow: true })], [A]), choose).starts[0]?.mapping, [1])
})

t.test('a file that is gone blocks the job', async t => {
  const { explain } = decide(queueView([printerView('p')], [], [A], { present: new Set() }), await finder())
  t.match(toldBy(explain(waitingJob('j'))), { isBlocked: true, reason: /is gone/, printers: [/not in the library/] })
})

t.test('printers of a group with a distance start one at a time', async t => {
  const choose = await finder()
  const groups = [{ name: 'fuse', isPaused: false, hours: undefined, spacingMs: 60_000, startedAt: 0 }]
  const { starts } = decide(queueView(['a', 'b'].map(name => printerView(name, { groups })),
    [waitingJob('j', { copies: 2 })], [A]), choose)
  t.equal(starts.length, 1)
})

t.test('whatever is there: no printer twice, no copy too many, nothing on a plate that is not clear', async t => {
  const choose = await finder()
  let seed = 7
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const types = ['PLA', 'PETG', 'ABS']
  const colors = ['#FFFFFF', '#000000', '#FF0000']
  for (let round = 0; round < 300; round++) {
    const printers = Array.from({ length: random(8) }, (_, at) => printerView(`p${at}`, {
      plate: pick(['clear', 'clear', 'used', 'taken', undefined] as const),
      isPaused: random(6) === 0,
      problem: random(5) === 0 ? { kind: 'busy', why: why('start_pending', { job: 'theirs' }) } as const : undefined,
      trays: [tray(0, pick(types), pick(colors)), tray(1, pick(types), pick(colors))]
    }, pick(['X1C', 'A1'] as const)))
    const files = Array.from({ length: 4 }, (_, at) => slicedFile(`f${at}`, { type: pick(types), color: pick(colors) }))
    const jobs = Array.from({ length: random(12) }, (_, at) => waitingJob(`j${at}`, {
      priority: random(3), position: at, copies: 1 + random(3), taken: random(2), alternatives: [{ file: `f${random(4)}`, plate: 1 }]
    }))
    const { starts, explain } = decide(queueView(printers, jobs, files), choose)
    t.equal(new Set(starts.map(({ printer }) => printer.serial)).size, starts.length)
    for (const { job, printer, mapping, file } of starts) {
      t.ok(starts.filter(start => start.job === job).length <= job.copies - job.taken)
      t.ok(printer.plate === 'clear' && !printer.isPaused && printer.problem === undefined)
      t.equal(printer.trays[mapping[0] ?? -1]?.type, file.plates[0]?.filaments[0]?.type)
      t.equal(printer.machine.model.model, 'X1C')
    }
    for (const job of jobs) t.equal(explain(job).printers.length, printers.length)
    const better = starts.map(({ job }) => job.priority)
    const passed = jobs.filter(({ job }) => job.copies > job.taken && !starts.some(start => start.job === job))
    for (const waiting of passed) {
      const free = explain(waiting).printers.filter(({ kind }) => kind === 'next')
      t.ok(free.length === 0 || better.some(priority => priority >= waiting.job.priority))
    }
  }
})

t.test('the very material, then its line, then a variant; exact takes no variant', async t => {
  const spools = await finder()
  const plate = (catalogueId: string) => {
    const [plate] = slicedFile('a').plates
    if (!plate) throw new Error('a file without plates')
    return { ...plate, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF', grams: 5, catalogueId }] }
  }
  const white = (trayId: number, catalogueId: string) => tray(trayId, 'PLA', '#FFFFFF', { catalogueId })
  const chosen = (wanted: string, trays: readonly string[], material: 'exact' | 'near' | 'any') => spools.choose(plate(wanted),
    { trays: trays.map((id, at) => white(at, id)), dual: false }, { material, color: 'exact', allowLow: false }).mapping?.[0]
  for (const material of ['exact', 'near', 'any'] as const) {
    t.equal(chosen('GFA01', ['GFA00', 'GFA05', 'GFL05', 'GFA01'], material), 3, `${material}: the same entry`)
    t.equal(chosen('GFA01', ['GFA00', 'GFA05', 'GFL05'], material), 2, `${material}: the same line`)
  }
  t.equal(chosen('GFA01', ['GFA05', 'GFA00'], 'exact'), undefined, 'silk and basic are not matte')
  t.equal(chosen('GFA01', ['GFA05', 'GFA00'], 'near'), 0)
  const missing = spools.choose(plate('GFA01'), { trays: [white(0, 'GFA05')], dual: false }, { material: 'exact', color: 'exact', allowLow: false })
  t.match(missing.why?.(), { code: 'missing', values: { filament: 'PLA Matte white' } })
})
