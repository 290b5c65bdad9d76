import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { connectPostgres } from '../../../plugins/database/connect.js'
import { createDatabase } from '../../../plugins/database/database.js'
import type { Row } from '../../../plugins/database/index.js'
import { stepsOf } from '../../../plugins/database/migrate.js'
import { migrations } from '../../../plugins/maintenance/migrations.js'
import { createTaskStore } from '../../../plugins/maintenance/task-store.js'
import type { DoneRow } from '../../../plugins/maintenance/tables.js'
import { createWearStore } from '../../../plugins/maintenance/wear-store.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'

const HOUR_MS = 3_600_000
const none = { hot: 0n, chamber: 0n, drying: 0n, changes: 0n }

t.test('two services on one database count everything once', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  const url = server.newDatabase()
  async function open () {
    const journal = await openJsonStore(join(testFolder(t), 'journal.json'), {
      schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {}
    })
    const { service, close } = createDatabase({
      kind: 'postgres',
      connect: connectPostgres(url, () => {}),
      steps: stepsOf(migrations, () => 'maintenance'),
      journal,
      log: { warn () {}, info () {} } as any
    })
    t.teardown(close)
    return { wear: createWearStore(service), tasks: createTaskStore(service) }
  }
  const services = [await open(), await open()] as const
  const [one, two] = services

  const print = { id: 'p', serial: 's', ended_at: 5 * HOUR_MS, seconds: 7_200, failed: 0 }
  const filament = { id: 'p:0', print: 'p', serial: 's', ended_at: 5 * HOUR_MS, material: 'PLA-CF', grams: 40, abrasive: 1 }
  await Promise.all(services.map(({ wear }) => wear.keepPrint(print, [filament])))
  await two.wear.keepPrint({ ...print, seconds: 3_600 }, [])
  t.match((await one.wear.counters()).get('s'), { hours: 2, prints: 1, abrasive_grams: 40 }, 'an older record changes nothing')
  await two.wear.keepPrint({ ...print, seconds: 10_800 }, [{ ...filament, grams: 60, abrasive: 0 }])
  t.match((await one.wear.counters()).get('s'), { hours: 3, prints: 1, grams: 60, abrasive_grams: 60 }, 'it went on, and was abrasive')

  const minutes = (hot: bigint) => [{ serial: 's', hour: 4, ...none, hot }]
  await Promise.all([one.wear.keepMinutes(minutes(0b0111n)), two.wear.keepMinutes(minutes(0b1110n))])
  await one.wear.keepMinutes(minutes(0b0001n)) // after a restart in the same hour
  t.match((await two.wear.counters()).get('s'), { hot_hours: 4 / 60 })
  t.equal((await two.wear.counters({ until: 4 * HOUR_MS })).get('s')?.hot_hours ?? 0, 0, 'before that hour')
  t.match((await two.wear.counters({ serial: 's', until: 5 * HOUR_MS })).get('s'), { hours: 3, hot_hours: 4 / 60 })
  t.same(await two.wear.materials(), new Map([['s', [{ material: 'PLA-CF', grams: 60 }]]]))

  const notice = { id: 's:rods:first:hours.300:due', serial: 's', task: 'rods', at: 1 }
  const warned = await Promise.all([...services, ...services].map(({ tasks }) => tasks.warnOnce(notice)))
  t.equal(warned.filter(Boolean).length, 1, 'warned of once')

  const done: DoneRow = {
    id: 'd',
    serial: 's',
    printer: 'x',
    task: 'rods',
    name: 'Rods',
    at: 1,
    done_by: 'ann',
    note: '',
    photo: 0,
    counters: '{}',
    entered_at: 1,
    undone_at: null,
    undone_by: ''
  }
  const added = await Promise.all(services.map(({ tasks }) => tasks.addDone([done])))
  t.equal(added.flat().length, 1, 'done once')
  const undone = await Promise.all(services.map(({ tasks }) => tasks.undo('d', 2, 'ben')))
  t.same(undone.toSorted(), [false, true], 'taken back once')
  t.same(await one.tasks.lastDone(), [])
  await one.tasks.addDone([{ ...done, at: 3 }, { ...done, id: 'e', at: 2 }])
  t.match(await two.tasks.lastDone(), [{ id: 'd', at: 3 }], 'the newest of each task')
})
