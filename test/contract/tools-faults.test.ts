import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../helpers/boot.js'
import { brokenSession, commandsOf, ENDED, GONE, NOBODY, oneFleet, SIGNED, type Fields } from './fleet.js'
import { invalid } from './invalid.js'
import { matching, need } from './rows.js'
import { asks, casesOf, complete, ROWS, sentenceOf, takesName, takesPrinter, wrongResult } from './tools.walk.js'

const fleetOnce = oneFleet(t)
const first = <T>([value]: readonly T[]): T | undefined => value

t.test('arguments that do not fit are refused, and nothing is sent', async t => {
  const fleet = await fleetOnce()
  const heard = await fleet.heard(fleet.names, async () => {
    for (const row of ROWS) {
      const good = complete(row, first(casesOf(row).good)?.args ?? {}, 'h2d')
      const all = [
        ...(takesName(row) ? [need.text('name')] : []),
        ...row.params,
        ...(asks(row) ? [need.bool('user_permission')] : [])
      ]
      for (const param of all) {
        for (const { params, what } of invalid(param, good, ['json'])) {
          if (param.name === 'user_permission' && params.user_permission === undefined) continue
          if (param.type === 'string' && params[param.name] === '') continue
          const answer = await fleet.tool(row.name, params)
          t.type(sentenceOf(row, answer), 'string', `${row.name} with ${what}: ${answer.text}`)
        }
      }
      for (const { args, error, models } of casesOf(row).bad ?? []) {
        for (const name of fleet.names.filter(name => models?.includes(fleet.model(name)) ?? true)) {
          const answer = await fleet.tool(row.name, complete(row, args, name))
          t.match(sentenceOf(row, answer), error, `${row.name} with ${JSON.stringify(args)}: ${answer.text}`)
          if (row.result.form === 'text') t.match(answer.text, /^Error: /, 'it begins like an error')
        }
      }
    }
  })
  for (const [name, wire] of heard) t.same(commandsOf(wire), [], `${name} heard nothing`)
})

t.test('nothing is done without consent, whatever else is wrong', async t => {
  const fleet = await fleetOnce()
  const rows = ROWS.filter(asks)
  t.ok(rows.length >= 18, `${rows.length} tools`)
  const heard = await fleet.heard(fleet.names, async () => {
    for (const row of rows) {
      const { user_permission: _, ...args } = complete(row, first(casesOf(row).good)?.args ?? {}, 'x1c')
      const elsewhere = takesName(row) ? [{ ...args, name: NOBODY }] : []
      for (const given of [args, { ...args, user_permission: false }, ...elsewhere]) {
        const answer = await fleet.tool(row.name, given)
        const text = row.result.form === 'text' ? answer.text : answer.value.error
        t.match(text, /^Error: user_permission must be True to perform this action\. [A-Z].+\.$/, row.name)
        t.ok(answer.failed)
        t.same(answer.value, row.result.form === 'text' ? { result: text } : { error: text })
      }
    }
  })
  for (const [name, wire] of heard) t.same(commandsOf(wire), [], `${name} heard nothing`)
  t.equal(fleet.session('x1c').service, 'CONNECTED', 'it was not paused either')
})

t.test('a printer without a session is told in the form of the tool', async t => {
  const { tool } = await fleetOnce()
  for (const row of ROWS.filter(takesPrinter)) {
    for (const name of [NOBODY, ENDED, 'P1S', '']) {
      const answer = await tool(row.name, complete(row, first(casesOf(row).good)?.args ?? {}, name))
      const form = row.absent ?? row.result.form
      const text = `Printer '${name}' not connected`
      t.ok(answer.failed, row.name)
      if (form === 'text') t.same(answer.value, { result: `Error: ${text}.` }, row.name)
      else if (form === 'list') t.same(answer.value, { result: [{ error: text }] }, row.name)
      else if (form === 'code') t.same(answer.value, { error: 'not_connected', detail: text }, row.name)
      else t.same(answer.value, { error: text }, row.name)
    }
  }
})

/** There is nothing to draw before a first report. */
const NEEDS_RECORDS = 'render_charts_panels'

t.test('a printer that cannot be reached', async t => {
  const { tool, kernel } = await fleetOnce()
  for (const row of ROWS.filter(takesPrinter)) {
    if (kernel.printers.get(GONE) === undefined) await kernel.printers.connect(GONE)
    const { good, unasked = false } = casesOf(row)
    const trial = good.find(({ wire }) => wire !== undefined) ?? good[0]
    const answer = await tool(row.name, complete(row, trial?.args ?? {}, GONE))
    const records = trial?.wire === undefined && row.name !== NEEDS_RECORDS
    if (records || (unasked && row.kind !== 'destructive')) {
      t.same(wrongResult(row, answer, { ...trial?.args, ...trial?.known, name: GONE }), [], row.name)
    } else t.match(sentenceOf(row, answer), /^Printer 'gone' not connected/, `${row.name}: ${answer.text}`)
  }
})

t.test('while a job starts or runs', async t => {
  const fleet = await fleetOnce()
  const rows = ROWS.filter(({ blocked }) => blocked)
  t.same(rows.map(({ name }) => name).sort(),
    ['load_filament', 'send_gcode', 'set_nozzle_config', 'swap_tool', 'unload_filament'])
  await fleet.become('running', ['h2d'])
  fleet.of('p1s').startJob()
  t.ok(await fleet.session('p1s').until(({ job }) => job.gcodeState === 'PREPARE', 2_000))
  for (const [name, state] of [['p1s', 'PREPARE'], ['h2d', 'RUNNING']] as const) {
    const heard = await fleet.heard([name], async () => {
      for (const row of rows) {
        const { text, failed } = await fleet.tool(row.name, complete(row, first(casesOf(row).good)?.args ?? {}, name))
        t.equal(text, `Blocked: '${name}' is currently ${state}. ${row.name} is not safe while a print is active. ` +
          'Wait for the print to finish, pause it first, or cancel it.')
        t.ok(failed)
      }
    })
    t.same(commandsOf(heard.get(name) ?? []), [], `${name} heard nothing`)
  }
  await fleet.become('idle', ['p1s', 'h2d'])
})

t.test('what the printer refuses is refused, with its words', async t => {
  const fleet = await fleetOnce()
  for (const row of ROWS) {
    const { good, unasked = false } = casesOf(row)
    const trial = good.find(({ wire }) => wire !== undefined)
    if (trial?.wire === undefined || unasked) continue
    const name = trial.models?.includes('H2D') ? 'h2d' : 'x1c'
    await fleet.become(trial.while ?? 'idle', [name])
    const [command] = trial.wire
    const lift = fleet.of(name).faults.refuse(command?.command ?? command?.section ?? '', { reason: 'not on a Sunday' })
    const answer = await fleet.tool(row.name, complete(row, trial.args, name))
    lift()
    t.match(sentenceOf(row, answer), /^'[\w-]+' refused .*: not on a Sunday$/, `${row.name}: ${answer.text}`)
  }
})

t.test('a printer that wants signatures is told apart', async t => {
  const { tool } = await fleetOnce()
  for (const row of ROWS.filter(takesPrinter)) {
    const trial = casesOf(row).good.find(({ wire, models, while: activity }) =>
      wire !== undefined && activity === undefined && (models?.includes('X1C') ?? true))
    if (trial === undefined) continue
    const answer = await tool(row.name, complete(row, trial.args, SIGNED))
    if (trial.wire?.[0]?.section !== 'print') t.notOk(answer.failed, `${row.name} needs none`)
    else t.match(sentenceOf(row, answer), /signed commands.*Developer mode/, `${row.name}: ${answer.text}`)
  }
})

/** They end a session, however broken, or answer from our own records. */
const TOUCHES_NOTHING = /^(disconnect_printer|get_monitoring_\w+|get_pending_alerts)$/

t.test('something unforeseen says what it interrupted', async t => {
  const { tool, name } = await boot(t, { models: ['P1S'], wait: false, edges: { createSession: brokenSession } })
  for (const row of ROWS.filter(row => takesPrinter(row) && !TOUCHES_NOTHING.test(row.name))) {
    const answer = await tool(row.name, complete(row, first(casesOf(row).good)?.args ?? {}, name))
    const doing = row.doing ?? `running ${row.name} on '<name>'`
    t.match(sentenceOf(row, answer), matching(`Error ${doing}: crossed wires`, { name }), `${row.name}: ${answer.text}`)
  }
})

t.test('files that cannot be read or written', async t => {
  const dataDir = t.testdir()
  const log = join(dataDir, 'prn.log')
  const { tool, kernel } = await boot(t, { models: [], config: { dataDir, log: { file: log } } })
  const missing = await tool('dump_log')
  await kernel.services.system.preferences.set({})
  for (const path of [log, join(dataDir, 'user_prefs.json')]) {
    await rm(path, { force: true })
    await mkdir(path)
  }
  t.same(missing.value, { lines: [], total_lines: 0, log_path: log }, 'nothing was logged yet')
  const trials: readonly [string, Fields, RegExp][] = [
    ['dump_log', {}, /^Error reading log file: EISDIR/],
    ['truncate_log', { user_permission: true }, /^Error truncating log file: EISDIR/],
    ['set_user_pref', { name: 'n', key: 'k', value: 1 }, /^Error storing preference: E\w+/]
  ]
  for (const [name, args, error] of trials) t.match((await tool(name, args)).value.error, error, name)
})
