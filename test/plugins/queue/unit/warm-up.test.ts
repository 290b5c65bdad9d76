import t from 'tap'
import { resolveModel } from '../../../../core/index.js'
import { decide } from '../../../../plugins/queue/decide/index.js'
import { soakProblem } from '../../../../plugins/queue/soak/limits.js'
import { whyWarming } from '../../../../plugins/queue/soak/temperatures.js'
import { NotWarmed, PersonWanted, warmUp } from '../../../../plugins/queue/soak/warm-up.js'
import type { HeatRecord, Run, Soak } from '../../../../plugins/queue/types.js'
import { finder, printerView, queueView, slicedFile, waitingJob } from '../views.js'
import { soakPrinter } from './soak-printer.js'

const SOAK: Soak = { bedC: 60, chamberC: 0, minutes: 3, otherwise: 'ask' }

/** A minute is 10 ms here. */
function begin (soak: Partial<Soak> = {}, printer = soakPrinter()) {
  const steps: string[] = []
  let looks = 0
  const abort = new AbortController()
  const plan = { at: (_look: number): void => {}, check: async (): Promise<void> => {}, turn: async () => true }
  const store = {
    beginHeat: async (_serial: string, { bedC }: HeatRecord) => { steps.push(`noted ${bedC} after ${printer.sent.length} commands`) },
    warm: async (_heat: unknown, at: number | undefined) => { steps.push(at === undefined ? 'cold' : 'warm') }
  }
  const warmed = () => warmUp(printer.session, {
    run: { id: 'run' } as Run, job: waitingJob('cube').job, soak: { ...SOAK, ...soak }
  }, {
    kernel: printer.kernel,
    store,
    instance: 'me',
    heats: async ({ bedC }) => { steps.push(`heats ${bedC}`) },
    turn: () => plan.turn(),
    timing: { lookMs: 1, minuteMs: 10 },
    async check () {
      plan.at(++looks)
      await plan.check()
    }
  }, abort.signal)
  return { printer, steps, plan, abort, warmed }
}

t.test('a printer is warmed, and kept warm, before a print', async t => {
  const { printer, steps, warmed } = begin()
  await warmed()
  t.same(printer.sent, ['M140 S60'])
  t.same(steps, ['noted 60 after 0 commands', 'heats 60', 'warm'], 'it is noted before anything is heated')
  t.match(printer.entries, [{ operation: 'climate.setBedTarget', note: /^60 °C: warmed for 'cube'/ }], 'with its reason in the audit log')
})

t.test('a warm printer waits for the turn of its group, and is watched meanwhile', async t => {
  const { printer, plan, warmed } = begin()
  let asked = 0
  plan.turn = async () => ++asked > 3
  await warmed()
  t.equal(asked, 4)
  const late = begin()
  late.plan.turn = async () => false
  await t.rejects(late.warmed(), { constructor: PersonWanted, message: /had to wait for other prints of its group/ }, 'once')
  const changed = begin({}, printer)
  changed.plan.turn = async () => { printer.heat.bed.target = 20; return false }
  await t.rejects(changed.warmed(), { constructor: PersonWanted, message: /somebody has set its bed/ })
})

t.test('without a wish nothing is heated', async t => {
  const { session, sent } = soakPrinter()
  const chosen = { run: {} as Run, job: waitingJob('cube').job, soak: undefined }
  await t.resolves(warmUp(session, chosen, {} as never, new AbortController().signal))
  t.same(sent, [])
})

t.test('heat that is lost begins to count anew', async t => {
  const { printer, steps, plan, warmed } = begin({ minutes: 2 })
  plan.at = look => { if (look === 3) printer.heat.bed.actual = 40; if (look === 10) printer.heat.bed.actual = 60 }
  await warmed()
  t.same(steps.slice(2), ['warm', 'cold', 'warm'])
})

t.test('a chamber that does not get warm is told to a person, or printed in as it is', async t => {
  const cold = begin({ chamberC: 45 })
  const reason = /after 60 min .* bed has 60 of 60 °C, the chamber 30 of 45 °C/
  await t.rejects(cold.warmed(), { constructor: PersonWanted, message: reason })
  const chosen = begin({ chamberC: 45, otherwise: 'start' })
  await chosen.warmed()
  t.same(chosen.printer.sent, ['M140 S60'], 'a chamber without a heater is not told anything')
  const heated = begin({ chamberC: 45, minutes: 0 }, soakPrinter({ serial: '09400A000000001', chamberC: 45 }))
  await heated.warmed()
  t.match(heated.printer.sent, ['M140 S60', 'chamber 45'], 'one with a heater is')
})

t.test('whoever sets the bed, prints, or loses the printer meanwhile ends it', async t => {
  const set = begin()
  set.plan.at = look => { if (look === 2) set.printer.heat.bed.target = 0 }
  await t.rejects(set.warmed(), { constructor: PersonWanted, message: /somebody has set its bed to 0 °C/ })
  const deaf = begin({}, Object.assign(soakPrinter(), { obeys: false }))
  deaf.plan.at = () => { deaf.printer.heat.bed.target = 35 }
  await t.rejects(deaf.warmed(), { constructor: PersonWanted, message: /does not take 60 °C/ })
  const printing = begin()
  printing.plan.at = look => { if (look === 2) printing.printer.state.job.gcodeState = 'RUNNING' }
  await t.rejects(printing.warmed(), { constructor: NotWarmed, message: /prints/ })
  const lost = begin()
  lost.plan.at = look => { if (look === 2) lost.printer.live = false }
  await t.rejects(lost.warmed(), { constructor: NotWarmed, message: /lost while it was warmed/ })
  const before = begin()
  before.printer.state.job.gcodeState = 'RUNNING'
  await t.rejects(before.warmed(), { constructor: NotWarmed, message: /prints/ })
  t.same([before.printer.sent, before.steps], [[], []], 'nothing is heated while something prints')
})

t.test('it ends when it is not wanted any more, and when the service does', async t => {
  const { plan, warmed } = begin({ minutes: 45 })
  plan.check = async () => { throw new Error('cancelled') }
  await t.rejects(warmed(), /cancelled/)
  const ending = begin({ minutes: 45 })
  ending.plan.at = look => { if (look === 3) ending.abort.abort(new Error('the service ends')) }
  await t.rejects(ending.warmed(), /the service ends/)
})

t.test('only printers that can be warmed as the job wants take it', async t => {
  const of = (soak: Partial<Soak>, serial: string) => soakProblem({ ...SOAK, ...soak }, resolveModel(serial))?.code
  t.same([of({}, '00M'), of({ bedC: 120 }, '01P'), of({ chamberC: 40 }, '01P'), of({ chamberC: 40 }, '00M'), of({ chamberC: 65 }, '094')],
    [undefined, 'bed_limit', 'no_chamber_sensor', undefined, undefined])
  const jobs = [waitingJob('warm', {}, { soak: { ...SOAK, chamberC: 40 } }), waitingJob('cold', { position: 1 })]
  const view = queueView([printerView('p1s', {}, 'P1S')], jobs, [slicedFile('a', { model: '' })])
  const named = { ...view, jobs: jobs.map(one => ({ ...one, job: { ...one.job, needs: { ...one.job.needs, printers: ['p1s'] } } })) }
  const { starts, explain } = decide(named, await finder())
  t.same(starts.map(({ job }) => job.id), ['cold'])
  t.match(explain(named.jobs[0] as never).printers, [{ why: { code: 'no_chamber_sensor' } }])
})

t.test('how far it is, in words', t => {
  const heat: HeatRecord = { run: '', printer: '', owner: '', bedC: 60, chamberC: 45, minutes: 10, heatedAt: 0, warmAt: undefined }
  const state = (bed: number, chamber: number) =>
    ({ heat: { bed: { actual: bed, target: 60 }, chamber: { actual: chamber, target: 0, sensor: true } } }) as never
  const of = (bed: number, chamber: number, warmAt?: number) => whyWarming({ ...heat, warmAt }, 'cube', state(bed, chamber), 190_000)
  t.match(of(41.2, 30), { code: 'warming', values: { job: 'cube', bed: 41, target: 60, minutes: 10 } })
  t.match(of(59, 38), { code: 'warming_chamber', values: { chamber: 38, target: 45 } })
  t.match(of(60, 45, 10_000), { code: 'soaking', values: { minutes: 7 } })
  t.match(whyWarming(heat, 'cube', undefined, 0), { code: 'warming', values: { bed: 0 } })
  t.end()
})
