import t from 'tap'
import { sendMorning } from '../../../../plugins/night/morning.js'
import { switchLightsOff, type LightsDeps } from '../../../../plugins/night/quiet.js'
import { Night } from '../../../../plugins/night/service.js'
import { OFF } from '../../../../plugins/night/settings.js'

const acts = () => {
  const known = new Map<string, string>()
  return {
    known,
    begin: async (ids: readonly string[]) => ids.filter(id => !known.has(id) && known.set(id, 'begun')),
    end: async (ids: readonly string[], detail: string) => { for (const id of ids) known.set(id, `done ${detail}`) },
    giveBack: async (ids: readonly string[]) => { for (const id of ids) known.delete(id) },
    hasEnded: async () => new Set<string>()
  }
}

t.test('a light that could not be switched off is tried three times', async t => {
  const answers = [{ confirmed: false }, new Error('not connected'), { confirmed: false }, { confirmed: true }]
  let asked = 0
  const store = acts()
  const session = { name: 'x1c', live: true, state: { lights: { nodes: [{ mode: 'on' }] }, job: {} }, config: { serial: 's' } }
  const deps = {
    kernel: {
      now: () => Date.UTC(2026, 0, 1, 1),
      operation: () => ({}),
      printers: { sessions: [session] },
      redact: (text: string) => text,
      async call () {
        const answer = answers[asked++]
        if (answer instanceof Error) throw answer
        return answer
      }
    },
    store,
    groups: () => [],
    failed: new Map()
  } as unknown as LightsDeps
  const settings = { ...OFF, time_zone: 'UTC', quiet: { ...OFF.quiet, hours: '00:00-06:00', lights_off: true } }
  for (let turn = 0; turn < 5; turn++) await switchLightsOff(settings, deps)
  t.equal(asked, 3)
  t.same([...store.known.values()], ['done no answer'])
})

t.test('a service without the place leaves the report of the morning to another one', async t => {
  const store = acts()
  const kernel = { now: () => Date.UTC(2026, 0, 1, 7), printers: { names: [] } }
  const messages = () => ({ targets: () => [], send: async () => [] })
  const settings = { ...OFF, time_zone: 'UTC', report: { ...OFF.report, at: '06:59', targets: ['phone'] } }
  const { signal } = new AbortController()
  await sendMorning(settings, 0, { kernel, store, messages, answers: { since: 0 }, signal } as never)
  t.same([...store.known], [])
})

t.test('the report of the morning waits for prints that ended unseen, but not for ever', async t => {
  const MORNING = Date.UTC(2026, 0, 1, 7)
  let now = MORNING
  let result = 'running'
  let asked = 0
  const session = { live: false, state: { job: { gcodeState: 'RUNNING' } } }
  const kernel = {
    now: () => now,
    printers: { names: ['x1c'], get: () => session },
    services: { history: { async * since () { yield { result, printer: 'x1c' } } } }
  }
  const store = { ...acts(), async begin () { asked++; return [] } }
  const messages = () => ({ targets: () => [{ name: 'phone' }], send: async () => [] })
  const settings = { ...OFF, time_zone: 'UTC', report: { ...OFF.report, at: '06:00', targets: ['phone'] } }
  const database = { status: { problem: undefined as string | undefined } }
  const { signal } = new AbortController()
  const deps = { kernel, database, store, messages, answers: { since: MORNING }, signal }
  const send = () => sendMorning(settings, 0, deps as never)

  await send()
  t.equal(asked, 0, 'the printer is not reached yet')
  session.live = true
  await send()
  t.equal(asked, 1, 'the print still runs')
  session.state.job.gcodeState = 'FINISH'
  await send()
  t.equal(asked, 1, 'its end is not recorded yet')
  result = 'finished'
  database.status.problem = 'away'
  await send()
  t.equal(asked, 1, 'records wait for the database')
  database.status.problem = undefined
  await send()
  t.equal(asked, 2)
  result = 'running'
  now += 11 * 60_000
  await send()
  t.equal(asked, 3, 'a printer that does not come back holds nothing up')
})

t.test('after an outage the report of the morning waits for what was not written, however late it is', async t => {
  let now = Date.UTC(2026, 0, 1, 7)
  let isAway = true
  let asked = 0
  const kernel = {
    now: () => now,
    printers: { names: [] },
    services: { history: { async * since () { /* no print is open */ } } }
  }
  const store = {
    ...acts(),
    async hasEnded () {
      if (isAway) throw new Error('away')
      return new Set<string>()
    },
    async begin () { asked++; return [] }
  }
  const messages = () => ({ targets: () => [{ name: 'phone' }], send: async () => [] })
  const settings = { ...OFF, time_zone: 'UTC', report: { ...OFF.report, at: '06:30', targets: ['phone'] } }
  const database = { status: { problem: 'away' as string | undefined } }
  const deps = { kernel, database, store, messages, answers: { since: 0 }, signal: new AbortController().signal }
  const turn = async () => await sendMorning(settings, 0, deps as never)

  await t.rejects(turn(), /away/)
  isAway = false
  now += 20_000
  await turn()
  t.equal(asked, 0, 'the records of the night are not written yet')
  database.status.problem = undefined
  await turn()
  t.equal(asked, 1)
  database.status.problem = 'a table that nobody can write'
  now += 11 * 60_000
  await turn()
  t.equal(asked, 2, 'not for ever')
})

t.test('settings that were read before a change do not undo it', async t => {
  const stored = (at: string) =>
    ({ value: { ...OFF, report: { ...OFF.report, at } }, since: { report: 0, watch: 0 }, revision: 1 })
  let answer: (settings: unknown) => void = () => {}
  let isSlow = true
  const night = new Night({
    kernel: { optional: {}, printers: { names: [] } },
    store: {
      settings: () => isSlow ? new Promise(resolve => { answer = resolve; isSlow = false }) : Promise.resolve(stored('06:00')),
      change: async () => stored('08:00')
    },
    messages: () => ({ targets: () => [] }),
    isQuiet: () => false,
    changed () {}
  } as never)
  const reading = night.read()
  await night.change({ time_zone: 'UTC' }, 'Ann')
  answer(stored('06:00'))
  await reading
  t.equal(night.settings.report.at, '08:00')
})
