import t from 'tap'
import { HeatKeeper, isInUse, judgeHeat } from '../../../../plugins/queue/soak/heat-keeper.js'
import { OwnHeats } from '../../../../plugins/queue/soak/own-heats.js'
import type { HeatRecord, Run } from '../../../../plugins/queue/types.js'
import { testFolder } from '../../../helpers/folder.js'
import { soakPrinter } from './soak-printer.js'

const MINUTE = 60_000
const HEAT: HeatRecord = { run: 'run', printer: 'x1c', owner: 'me', bedC: 60, chamberC: 0, minutes: 10, heatedAt: 0, warmAt: undefined }

/** A service that was killed while it warmed a printer, and starts again. */
function restart (printer = soakPrinter(), owner = HEAT.owner, written: readonly HeatRecord[] = []) {
  let now = 5 * MINUTE
  const ended: string[] = []
  const told: string[] = []
  printer.kernel.now = () => now
  printer.heat.bed.target = 60
  const heats = new Map([[printer.session.config.serial, { ...HEAT, owner }]])
  const file = written.map(({ warmAt: _, ...heat }) => ({ serial: printer.session.config.serial, ...heat }))
  const ownHeats = new OwnHeats({ get: () => file, set: async () => {}, settled: async () => {} })
  const keeper = new HeatKeeper({
    ownHeats,
    kernel: printer.kernel,
    store: { endHeat: async ({ run }) => { ended.push(run); heats.clear() } },
    instance: 'me',
    isStarting: () => false,
    raise: (name, { severity, payload }) => { told.push(`${name} ${severity} ${String(payload.reason)}`) },
    log: { warn () {} }
  })
  return {
    printer,
    ended,
    told,
    heats,
    keeper,
    ownHeats,
    async turn (runs: Partial<Run>[] = [], minutes = 0) {
      now += minutes * MINUTE
      keeper.see({ heats, runs: runs as Run[] })
      await keeper.settled()
    },
    /** A turn while the database is away. */
    async turnWithout (minutes = 0) {
      now += minutes * MINUTE
      keeper.see()
      await keeper.settled()
    }
  }
}

t.test('after a kill, what was warmed is switched off as soon as the printer reports', async t => {
  const { printer, ended, turn } = restart()
  printer.live = false
  await turn()
  t.same(printer.sent, [], 'nothing is known of it yet')
  printer.live = true
  await turn()
  t.same(printer.sent, ['M140 S0'])
  t.same(ended, ['run'])
  await turn()
  t.equal(printer.sent.length, 1, 'once')
})

t.test('nothing is switched off while something prints, nor what a person has set', async t => {
  const printing = restart()
  printing.printer.state.job.gcodeState = 'RUNNING'
  await printing.turn()
  t.same([printing.printer.sent, printing.ended], [[], ['run']], 'the print has its own temperatures')
  const set = restart()
  set.printer.heat.bed.target = 45
  await set.turn()
  t.same([set.printer.sent, set.ended], [[], ['run']])
})

t.test('a start that goes on keeps its heat until its print has begun', async t => {
  const { printer, ended, turn } = restart()
  await turn([{ id: 'run', state: 'sending' }])
  t.same([printer.sent, ended], [[], []])
  printer.state.job.gcodeState = 'RUNNING'
  await turn([{ id: 'run', state: 'sending' }])
  t.same([printer.sent, ended], [[], ['run']], 'it belongs to the print')
  const never = restart()
  await never.turn([{ id: 'run', state: 'sending' }], 75)
  t.same(never.printer.sent, ['M140 S0'], 'not for longer than a print takes to begin')
  t.equal(isInUse(HEAT, { id: 'run', state: 'preparing' } as Run, false, 60 * MINUTE), true, 'another service warms it')
  t.equal(isInUse(HEAT, { id: 'other', state: 'preparing' } as Run, false, 0), false)
  t.equal(isInUse(HEAT, undefined, true, 99 * MINUTE), true)
})

t.test('what cannot be switched off is tried again, and told to a person once', async t => {
  const { printer, ended, told, turn } = restart()
  printer.claimed = true
  for (let minute = 0; minute < 8; minute++) await turn([], 1)
  t.match(told, [/heated to 60 °C .* may be hot/])
  t.equal(told.length, 1)
  t.same([printer.sent, ended], [[], []])
  printer.claimed = false
  await turn()
  t.same([printer.sent, ended], [['M140 S0'], ['run']])
})

t.test('after a kill the heat of a start is switched off even if the end of its run cannot be stored', async t => {
  const { printer, ended, turn } = restart()
  await turn([{ id: 'run', state: 'preparing' }])
  t.same([printer.sent, ended], [['M140 S0'], ['run']])
})

t.test('a printer that is disconnected while it is warm is told of, and switched off when it is back', async t => {
  const { printer, told, turn } = restart()
  const sessions = printer.kernel.printers.sessions.splice(0)
  for (let minute = 0; minute < 8; minute++) await turn([], 1)
  t.match(told, [/^x1c high its bed was heated to 60 °C .* before the printer was disconnected: it may be hot$/])
  t.equal(told.length, 1)
  printer.kernel.printers.sessions.push(...sessions)
  await turn()
  t.same(printer.sent, ['M140 S0'])
  const elsewhere = restart(soakPrinter(), 'another service')
  elsewhere.printer.kernel.printers.sessions.length = 0
  for (let minute = 0; minute < 8; minute++) await elsewhere.turn([], 1)
  t.same(elsewhere.told, [], 'a service that never had it says nothing')
})

t.test('after a kill, what was warmed is switched off although the database is not back', async t => {
  const { printer, ended, ownHeats, turnWithout } = restart(soakPrinter(), 'me', [HEAT])
  await turnWithout()
  t.same(printer.sent, ['M140 S0'])
  t.same([ended, ownHeats.all], [['run'], []])
  const gone = restart(soakPrinter(), 'me', [HEAT])
  gone.printer.kernel.printers.sessions.length = 0
  for (let minute = 0; minute < 8; minute++) await gone.turnWithout(1)
  t.match(gone.told, [/may be hot$/])
  const begins = restart(soakPrinter(), 'me', [HEAT])
  Object.assign(begins.printer.session, { context: { start: { at: 5 * MINUTE, accepted: true, outcome: undefined } } })
  await begins.turnWithout()
  t.same(begins.printer.sent, [], 'its print was sent, and is about to begin')
  await begins.turnWithout(75)
  t.same(begins.printer.sent, ['M140 S0'])
})

t.test('heat that another service has ended is not switched off any more', async t => {
  const { printer, heats, keeper, ownHeats, turn } = restart(soakPrinter(), 'me')
  await keeper.begin(printer.session.config.serial, HEAT)
  printer.claimed = true
  await keeper.giveUp('run', printer.session)
  printer.claimed = false
  heats.clear()
  await turn()
  t.same([printer.sent, ownHeats.all], [[], []], 'the bed is as warm for another reason')
  const used = restart(soakPrinter(), 'me', [HEAT])
  used.heats.clear()
  await used.turn([{ id: 'other', serial: used.printer.session.config.serial, state: 'preparing' }])
  t.same(used.printer.sent, [], 'another service warms it')
  const lost = restart(soakPrinter(), 'me', [HEAT])
  lost.heats.clear()
  await lost.turn()
  t.same(lost.printer.sent, ['M140 S0'], 'a database that lost its last rows with the power does not keep a bed hot')
})

t.test('what a service has heated is in a file of its own', async t => {
  const folder = testFolder(t)
  const open = () => OwnHeats.open(folder, message => t.fail(message))
  await (await open()).begin('serial', HEAT)
  const again = await open()
  t.same(again.all, [{ serial: 'serial', heat: HEAT, isGivenUp: false, isLeft: true }])
  await again.end('run')
  t.same((await open()).all, [])
})

t.test('a printer that was removed is told of for a day', async t => {
  const { printer, ended, told, turn } = restart()
  printer.kernel.printers.sessions.length = 0
  for (let hour = 0; hour < 25; hour++) await turn([], 60)
  t.same([told.length, ended], [1, []], 'it is only disconnected')
  printer.kernel.printers.names.length = 0
  await turn()
  t.same(ended, ['run'])
  const soon = restart()
  soon.printer.kernel.printers.sessions.length = 0
  soon.printer.kernel.printers.names.length = 0
  for (let hour = 0; hour < 3; hour++) await soon.turn([], 60)
  t.same([soon.told.length, soon.ended], [1, []])
})

t.test('a target that was just sent need not be shown yet', t => {
  const { session } = soakPrinter()
  t.same(judgeHeat({ ...HEAT, heatedAt: 0 }, session, 10_000), ['bed'])
  t.equal(judgeHeat({ ...HEAT, heatedAt: 0 }, session, 40_000), 'over')
  t.equal(judgeHeat({ ...HEAT, heatedAt: 40_000 }, session, 0), 'over', 'the clock was set back')
  const heated = soakPrinter({ serial: '09400A000000001' })
  Object.assign(heated.heat.chamber, { target: 45 })
  t.same(judgeHeat({ ...HEAT, chamberC: 45 }, heated.session, MINUTE), ['chamber'], 'of two heaters the one that is still on')
  t.end()
})
