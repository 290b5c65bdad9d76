import type { Test } from 'tap'
import { boot } from '../helpers/boot.js'
import { brokenSession, ENDED, GONE, NOBODY, SIGNED, type Fleet } from './fleet.js'
import { inVain } from './http.bad.js'
import { invalid } from './invalid.js'
import { quietDaemon } from './preset.js'
import { matching, need } from './rows.js'
import { wireOf, type ToolCase } from './tools.cases.data.js'
import type { ToolRow } from './tools.data.js'
import { asks, casesOf, complete, sentenceOf, takesName, takesPrinter, wrongResult } from './tools.walk.js'
import { testFolder } from '../helpers/folder.js'

const first = <T>([value]: readonly T[]): T | undefined => value

export async function refuseBadArguments (t: Test, fleet: Fleet, rows: readonly ToolRow[]): Promise<void> {
  for (const row of rows) {
    await refuseMisfits(t, fleet, row)
    for (const { args, error, models } of casesOf(row).bad ?? []) {
      for (const name of fleet.names.filter(name => models?.includes(fleet.model(name)) ?? true)) {
        const answer = await fleet.tool(row.name, complete(row, args, name))
        t.match(sentenceOf(row, answer), error, `${row.name} with ${JSON.stringify(args)}: ${answer.text}`)
        if (row.result.form === 'text') t.match(answer.text, /^Error: /, 'it begins like an error')
      }
    }
  }
}

async function refuseMisfits (t: Test, fleet: Fleet, row: ToolRow): Promise<void> {
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
}

/** @returns how many tools ask */
export async function wantConsent (t: Test, fleet: Fleet, rows: readonly ToolRow[]): Promise<number> {
  const asking = rows.filter(asks)
  await inVain(t, fleet, async () => {
    for (const row of asking) {
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
  t.equal(fleet.session('x1c').service, 'CONNECTED', 'it was not paused either')
  return asking.length
}

/** Why, by the name that was given. */
const DETAILS: Readonly<Record<string, RegExp>> = {
  [NOBODY]: /^No printer of that name is configured\. Configured: '/,
  [ENDED]: /is configured, but has no session/,
  P1S: /^No printer of that name is configured/,
  '': /^The name is empty/
}

export async function refuseWithoutSession (t: Test, { tool }: Fleet, rows: readonly ToolRow[]): Promise<void> {
  for (const row of rows.filter(takesPrinter)) {
    for (const name of [NOBODY, ENDED, 'P1S', '']) {
      const answer = await tool(row.name, complete(row, first(casesOf(row).good)?.args ?? {}, name))
      const form = row.absent ?? row.result.form
      const text = `Printer '${name}' not connected`
      t.ok(answer.failed, row.name)
      const detail = DETAILS[name]
      if (form === 'text') t.same(answer.value, { result: `Error: ${text}.` }, row.name)
      else if (form === 'list') t.match(answer.value, { result: [{ error: text, detail }] }, row.name)
      else if (form === 'code') t.match(answer.value, { error: 'not_connected', detail }, row.name)
      else t.match(answer.value, { error: text, detail }, row.name)
    }
  }
}

/** There is nothing to draw before a first report. */
const NEEDS_RECORDS = 'render_charts_panels'

const isSent = ({ wire }: ToolCase): boolean => wire !== undefined

export async function tellWhyUnreachable (t: Test, { tool, kernel }: Fleet, rows: readonly ToolRow[]): Promise<void> {
  for (const row of rows.filter(takesPrinter)) {
    if (kernel.printers.get(GONE) === undefined) await kernel.printers.connect(GONE)
    const { good, unasked = false, gone } = casesOf(row)
    const trial = good.find(isSent) ?? good[0]
    const answer = await tool(row.name, complete(row, trial?.args ?? {}, GONE))
    const records = trial?.wire === undefined && row.name !== NEEDS_RECORDS
    if (gone !== undefined) t.match(sentenceOf(row, answer), gone, `${row.name}: ${answer.text}`)
    else if (records || (unasked && row.kind !== 'destructive')) {
      t.same(wrongResult(row, answer, { ...trial?.args, ...trial?.known, name: GONE }), [], row.name)
    } else t.match(sentenceOf(row, answer), /^Printer 'gone' not connected/, `${row.name}: ${answer.text}`)
  }
}

/** @returns the tools that are blocked while a job starts or runs */
export async function blockWhilePrinting (t: Test, fleet: Fleet, rows: readonly ToolRow[]): Promise<string[]> {
  const blocked = rows.filter(({ blocked }) => blocked)
  await fleet.become('idle', ['p1s', 'h2d'])
  await fleet.become('running', ['h2d'])
  fleet.of('p1s').startJob()
  t.ok(await fleet.session('p1s').until(({ job }) => job.gcodeState === 'PREPARE', 2_000))
  await inVain(t, fleet, async () => {
    for (const [name, state] of [['p1s', 'PREPARE'], ['h2d', 'RUNNING']] as const) {
      for (const row of blocked) {
        const answer = await fleet.tool(row.name, complete(row, first(casesOf(row).good)?.args ?? {}, name))
        const text = row.result.form === 'text' ? answer.text : answer.value.error
        t.equal(text, `Blocked: '${name}' is currently ${state}. ${row.name} is not safe while a print is active. ` +
          `Wait for the print to finish, ${row.name === 'print_file' ? '' : 'pause it first, '}or cancel it.`)
        t.ok(answer.failed)
      }
    }
  })
  await fleet.become('idle', ['p1s', 'h2d'])
  return blocked.map(({ name }) => name).sort()
}

/** A printer for a case: the usual one, unless the case is for others. */
const nameOf = (fleet: Fleet, { models = [] }: ToolCase): string => models.length === 0 || models.includes('X1C')
  ? 'x1c'
  : fleet.names.find(name => models.includes(fleet.model(name))) ?? 'x1c'

export async function passOnRefusals (t: Test, fleet: Fleet, rows: readonly ToolRow[]): Promise<void> {
  for (const row of rows) {
    const { good, unasked = false } = casesOf(row)
    const trial = good.find(isSent)
    if (trial === undefined || unasked) continue
    const name = nameOf(fleet, trial)
    await fleet.become(trial.while ?? 'idle', [name])
    const [command] = wireOf(trial, fleet.model(name))
    const lift = fleet.of(name).faults.refuse(command?.command ?? command?.section ?? '', { reason: 'not on a Sunday' })
    const answer = await fleet.tool(row.name, complete(row, trial.args, name))
    lift()
    t.match(sentenceOf(row, answer), /^'[\w-]+' refused .*: not on a Sunday$/, `${row.name}: ${answer.text}`)
  }
}

export async function tellSignaturesApart (t: Test, { tool }: Fleet, rows: readonly ToolRow[]): Promise<void> {
  for (const row of rows.filter(takesPrinter)) {
    const trial = casesOf(row).good.find(trial =>
      isSent(trial) && trial.while === undefined && (trial.models?.includes('X1C') ?? true))
    if (trial === undefined) continue
    const answer = await tool(row.name, complete(row, trial.args, SIGNED))
    if (wireOf(trial, 'X1C')[0]?.section !== 'print') t.notOk(answer.failed, `${row.name} needs none`)
    else t.match(sentenceOf(row, answer), /signed commands.*Developer mode/, `${row.name}: ${answer.text}`)
  }
}

/** They end a session, however broken, answer from our own records, or look at the host first. */
const TOUCHES_NOTHING = new RegExp('^(disconnect_printer|get_monitoring_\\w+|get_pending_alerts|get_snapshot|stop_stream|' +
  'open_job_state|upload_file|download_file)$')

/** Something unforeseen says what it interrupted. */
export async function sayWhatWasInterrupted (t: Test, rows: readonly ToolRow[]): Promise<void> {
  const { tool, name } = await boot(t, {
    models: ['P1S'], wait: false, dependencies: { createSession: brokenSession }, preset: quietDaemon(testFolder(t))
  })
  for (const row of rows.filter(row => takesPrinter(row) && !TOUCHES_NOTHING.test(row.name))) {
    const answer = await tool(row.name, complete(row, first(casesOf(row).good)?.args ?? {}, name))
    const doing = row.doing ?? `running ${row.name} on '<name>'`
    t.match(sentenceOf(row, answer), matching(`Error ${doing}: crossed wires`, { name }), `${row.name}: ${answer.text}`)
  }
}

/** A card that cannot be listed. */
export async function tellCardFailures (t: Test, fleet: Fleet, rows: readonly ToolRow[]): Promise<void> {
  const name = 'x1c'
  await fleet.become('idle', [name])
  const lift = fleet.of(name).card.fault({ command: 'LIST', reply: '522 no session was reused' })
  await fleet.inject({ url: '/api/get_sdcard_contents', query: { printer: name } })
  for (const row of rows) {
    const { good, gone } = casesOf(row)
    if (gone?.test('Failed to retrieve SD card contents') !== true) continue
    const answer = await fleet.tool(row.name, complete(row, first(good)?.args ?? {}, name))
    t.match(sentenceOf(row, answer), gone, `${row.name}: ${answer.text.slice(0, 200)}`)
  }
  lift()
}
