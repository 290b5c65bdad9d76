import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t from 'tap'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { dumpDatabase } from '../../plugins/database/index.js'
import { commandsOf, oneFleet, type Fleet, type Wire } from './fleet.js'
import type { HttpRow } from './http.data.js'
import { casesOf, idOf, named, ROWS, takesPrinter, wayOf, wireOf } from './http.walk.js'
import { requestOf } from './request.js'

const fleetOnce = oneFleet(t, { samples: true })

/** A digest of each table, and of each file but logs and what is only a copy of something on a card. */
async function storedIn ({ kernel: { dataDir } }: Fleet): Promise<Readonly<Record<string, string>>> {
  const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
  const stored: Record<string, string> = {}
  for await (const part of dumpDatabase(undefined, join(dataDir, 'plugins', 'database'))) {
    const { table = 'versions' } = part as { table?: string }
    stored[table] = digest(`${stored[table]}${JSON.stringify(part)}`)
  }
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    if (!/sqlite|\.log|lock|plugins.(toolpath|projects|files.copies)./.test(path)) stored[relative(dataDir, path)] = digest(await readFile(path))
  }
  return stored
}

/** The least that a schema asks for; nothing if that cannot be made up. */
function madeUp (schema: TSchema): object {
  try {
    return Value.Create(schema) as object
  } catch {
    return {}
  }
}

/** Objects as sent, without what differs each time. */
const commandNames = (sent: readonly object[]) =>
  sent.map(one => (one as Wire).command ?? (Object.values(one)[0] as Wire).command)

t.test('a dry run of every operation that writes sends and stores nothing', async t => {
  const fleet = await fleetOnce()
  const { kernel, names: [printer = ''] } = fleet
  const acted: string[] = []
  t.teardown(kernel.events.on('operation:done', ({ operation }) => { acted.push(operation) }))
  t.teardown(kernel.events.on('operation:failed', ({ operation }) => { acted.push(operation) }))
  await kernel.services.database.settled()
  const before = await storedIn(fleet)
  let allowed = 0
  const operations = [...kernel.operations.values()].filter(({ effect }) => effect !== 'read')
  const heard = await fleet.heard(fleet.names, async () => {
    for (const operation of operations) {
      const input = madeUp(operation.input)
      const outcome = await kernel.rehearse(operation, input, { printer, caller: 'local' }).catch((error: Error) => error)
      if (outcome instanceof Error) t.match((outcome as { code?: string }).code, /^PRN_ERR_/, `${operation.name}: ${outcome.message}`)
      else allowed++
    }
  })
  t.ok(operations.length > 100, `${operations.length} operations`)
  t.ok(allowed > 30, `${allowed} would be allowed`)
  for (const [name, wire] of heard) t.same(commandsOf(wire), [], name)
  t.same(acted, [], 'the audit log hears nothing')
  await kernel.services.database.settled()
  t.same(await storedIn(fleet), before, 'rows and files')
})

t.test('so does one of every route, and it names what would be sent', async t => {
  const fleet = await fleetOnce()
  const { kernel } = fleet
  const routes = new Map(kernel.contributed('routes').map(route => [`${route.method} /api${route.path}`, route]))
  const written = ROWS.filter(row => (routes.get(idOf(row))?.operation.effect ?? 'read') !== 'read')
  await kernel.services.database.settled()
  const cards = await fleet.cards(fleet.names)
  let stored: Readonly<Record<string, string>> | undefined = await storedIn(fleet)
  let told = 0
  const isIdle = (row: HttpRow) => casesOf(row).good[0]?.while === undefined
  // Prints that the printers make for the others are recorded, so the rows are compared before them.
  for (const row of [...written.filter(isIdle), ...written.filter(row => !isIdle(row))]) {
    if (!isIdle(row) && stored !== undefined) {
      await kernel.services.database.settled()
      t.same(await storedIn(fleet), stored, 'rows and files')
      stored = undefined
    }
    const operation = routes.get(idOf(row))?.operation
    const trial = casesOf(row).good.find(({ has, while: activity }) => has === undefined && activity !== 'asleep')
    if (trial === undefined || operation === undefined) continue
    const printer = fleet.names.find(name => trial.models?.includes(fleet.model(name)) ?? true) ?? ''
    await fleet.become(trial.while ?? 'idle', takesPrinter(row) ? [printer] : [])
    const request = requestOf(row, wayOf(row, trial), named(row, trial.params, printer))
    const heard = await fleet.heard(fleet.names, async () => {
      const answer = await kernel.app.inject({ ...request, query: { ...request.query as object, dry_run: 'true' } } as never)
      if (wayOf(row, trial) === 'multipart') return
      const body = answer.json() as { dry_run?: boolean, sends?: object[] | null, reason?: string }
      if (answer.statusCode !== 200) return t.match(body, { status: 'error' }, `${idOf(row)}: ${body.reason}`)
      t.match(body, { dry_run: true, operation: operation.name }, idOf(row))
      if (!Array.isArray(body.sends)) return
      told++
      t.same(commandNames(body.sends), commandNames(commandsOf(wireOf(trial, fleet.model(printer)))), `${idOf(row)}: what it would send`)
    })
    for (const [name, wire] of heard) t.same(commandsOf(wire), [], `${idOf(row)}: ${name} heard nothing`)
  }
  t.ok(told >= 20, `${told} routes said what they would send`)
  t.equal(stored, undefined, 'rows and files were compared')
  t.same(await fleet.cards(fleet.names), cards, 'cards')
})

t.test('what cannot be tried is refused, never done', async t => {
  const { kernel, names: [printer] } = await fleetOnce()
  const ask = async (method: 'POST' | 'PATCH', url: string, payload: object = {}) =>
    (await kernel.app.inject({ method, url, payload })).json() as Record<string, unknown>
  t.match(await ask('POST', '/api/queue/files?dry_run=true'), { error: 'bad_input', reason: /has no dry run/ })
  t.match(await ask('PATCH', `/api/set_bed_target_temp?dry_run=yes&printer=${printer}`, { temp: 40 }), { error: 'bad_input' })
  for (const [query, body] of [['dry_run=true', { dry_run: false }], ['dry_run=true&dry_run=false', {}]] as const) {
    t.match(await ask('PATCH', `/api/set_bed_target_temp?${query}&printer=${printer}`, { temp: 40, ...body }), { error: 'bad_input' })
  }
  t.match(await ask('PATCH', `/api/set_bed_target_temp?dryrun=true&printer=${printer}`, { temp: 40 }), { error: 'bad_input' })
  t.match(await ask('PATCH', `/api/set_bed_target_temp?printer=${printer}`, { temp: 40, dry_run: true }), { dry_run: true })
  t.match(await ask('PATCH', `/api/set_bed_target_temp?dry_run=true&printer=${printer}`, { temp: 9_000 }), { status: 'error' })
})

t.test('a print is tried with its plate and spools, and a tool without permission says the same', async t => {
  const fleet = await fleetOnce()
  const { kernel, tool } = fleet
  const [printer = ''] = fleet.names
  await fleet.become('idle', [printer])
  const file = '/calibration-cube.gcode.3mf'
  const answer = await kernel.app.inject({
    method: 'POST', url: '/api/print_3mf?dry_run=true', payload: { printer, filename: file, use_ams: true, accept_mismatch: true }
  })
  t.match(answer.json(), {
    dry_run: true, printer, checked: /plate/, sends: [{ command: 'project_file', file }], found: { mapping_words: [] }
  })
  const said = await tool('print_file', { name: printer, file_path: file, use_ams: true, accept_mismatch: true })
  t.match(JSON.stringify(said), /user_permission must be True.*Tried without doing it.*project_file/s)
  const missing = await tool('print_file', { name: printer, file_path: '/none.3mf', use_ams: true })
  t.match(JSON.stringify(missing), /user_permission must be True.*With permission it would be refused/s)
})
