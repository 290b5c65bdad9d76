import t from 'tap'
import { OFF } from '../../../../plugins/night/settings.js'
import { callNext, callsFor } from '../../../../plugins/night/watch.js'

const MINUTE_MS = 60_000
const watch = { after_min: 10, steps: ['ben', 'cleo'], language: 'en' as const }
const alert = (id: string, minute: number) => ({ id, at: minute * MINUTE_MS, printer: 'x', type: 'job_failed' })

t.test('the next one is told step by step', async t => {
  const told = (minute: number) => callsFor(watch, [alert('a', 0)], minute * MINUTE_MS).map(({ target }) => target)
  t.same([9, 10, 19, 20, 500].map(told), [[], ['ben'], ['ben'], ['ben', 'cleo'], ['ben', 'cleo']])
  t.same(told(1_440), [], 'after a day it is no emergency any more')
})

t.test('several alerts are told in one message, and off is off', async t => {
  t.match(callsFor(watch, [alert('a', 0), alert('b', 5), alert('c', 14)], 15 * MINUTE_MS), [{ step: 0, alerts: [{ id: 'a' }, { id: 'b' }] }])
  t.same(callsFor({ ...watch, after_min: null }, [alert('a', 0)], 100 * MINUTE_MS), [])
  t.same(callsFor({ ...watch, steps: [] }, [alert('a', 0)], 100 * MINUTE_MS), [])
})

interface Deps {
  known?: readonly string[]
  listed?: readonly ReturnType<typeof alert>[]
  send?: ReturnType<Parameters<typeof callNext>[2]['messages']>['send']
}

/** Two services share acts and alerts; each has places of its own. */
function world () {
  const acts = new Map<string, string>()
  const store = {
    begin: async (ids: readonly string[]) => {
      const own = ids.filter(id => !acts.has(id))
      for (const id of own) acts.set(id, 'begun')
      return own
    },
    end: async (ids: readonly string[], detail: string) => { for (const id of ids) acts.set(id, detail) },
    giveBack: async (ids: readonly string[]) => { for (const id of ids) acts.delete(id) },
    hasEnded: async (ids: readonly string[]) => new Set(ids.filter(id => acts.has(id) && acts.get(id) !== 'begun'))
  }
  let minute = 0
  const unheard: string[] = []
  const service = ({ known = ['ben', 'cleo'], listed = [alert('a', 0)], send }: Deps = {}) => {
    const got: string[] = []
    const list = async (_: unknown, asked: { limit: number, cursor: string, printer_name?: string }) => {
      const { limit, cursor, printer_name: printer } = asked
      const [from = 0, after] = cursor.split('.')
      const rest = listed.filter(one => printer === undefined || one.printer === printer)
        .filter(one => one.at < Number(from) || (one.at === Number(from) && one.id < `${after}`))
        .toSorted((one, other) => other.at - one.at || (other.id < one.id ? -1 : 1))
      const page = rest.slice(0, limit)
      const last = page.at(-1)
      return {
        alerts: page.map(one => ({ ...one, at: new Date(one.at).toISOString() })),
        cursor: rest.length > limit && last ? `${last.at}.${last.id}` : null
      }
    }
    const deps = {
      kernel: {
        now: () => minute * MINUTE_MS, operations: { has: () => true }, printers: { names: ['x', 'flooding'] }, call: list
      },
      store,
      unheard: (printer: string, target: string) => { unheard.push(`${printer} ${target}`) },
      messages: () => ({
        targets: () => known.map(name => ({ name, type: 'webhook', waiting: 0, problem: null })),
        send: send ?? (async ({ printers }: { printers: readonly string[] }, targets: readonly string[]) => {
          got.push(`${printers} ${targets}`)
          return [...targets]
        })
      })
    } as unknown as Parameters<typeof callNext>[2]
    return { got, turn: () => callNext({ ...OFF, watch: { ...watch, steps: [...watch.steps] } }, 0, deps) }
  }
  return { acts, unheard, service, at: (value: number) => { minute = value } }
}

t.test('a service without the place leaves the alert to one that has it', async t => {
  const { service, acts, unheard, at } = world()
  const [without, withIt] = [service({ known: [] }), service()]
  at(11)
  await without.turn()
  await withIt.turn()
  t.same(withIt.got, ['x ben'])
  t.same([...acts], [['watch:a:0', 'ben']])
  t.same(unheard, [])
})

t.test('a place that no service can tell is told of after some minutes', async t => {
  const { service, acts, unheard, at } = world()
  const [without, mayNot] = [service({ known: [] }), service({ send: (async () => []) as never })]
  for (const minute of [11, 19]) {
    at(minute)
    await without.turn()
    await mayNot.turn()
  }
  t.same([...acts.keys(), ...unheard], [])
  at(20)
  await mayNot.turn()
  t.match(acts.get('watch:a:0'), /no target 'ben'/)
  t.same(unheard, ['x ben'])
})

t.test('a message that fails keeps none of another printer from being sent, and is tried in the next turn', async t => {
  const { service, at } = world()
  const got: string[] = []
  let isDown = true
  const send = async ({ printers }: { printers: readonly string[] }, targets: readonly string[]) => {
    if (isDown && printers[0] === 'x') throw new Error('the database is away')
    got.push(`${printers}`)
    return [...targets]
  }
  const { turn } = service({ listed: [alert('a', 0), { ...alert('b', 0), printer: 'y' }], send: send as never })
  at(11)
  await t.rejects(turn(), { message: /away/ })
  t.same(got, ['y'])
  isDown = false
  await turn()
  t.same(got, ['y', 'x'])
})

t.test('a flood of one printer hides no alert of another one', async t => {
  const { service, at } = world()
  const flood = (count: number, from: number) => Array.from({ length: count }, (_, n) =>
    ({ ...alert(`f${String(n).padStart(5, '0')}`, from), at: from * MINUTE_MS + n, printer: 'flooding' }))
  const newer = service({ listed: [alert('a', 0), ...flood(3_000, 5)] })
  at(11)
  await newer.turn()
  t.same(newer.got, ['x ben'], 'those that are not due yet')
  const { service: other, at: atOther } = world()
  const due = other({ listed: [alert('a', 0), ...flood(3_000, 0.5)] })
  atOther(11)
  await due.turn()
  t.same(due.got.toSorted(), ['flooding ben', 'x ben'], 'those that are due')
})
