import t, { type Test } from 'tap'
import { connectSqlite } from '../../../../plugins/database/connect.js'
import { migrations } from '../../../../plugins/queue/migrations.js'
import { inForce, pause, readPauses, resume } from '../../../../plugins/queue/store/pauses.js'
import { testFolder } from '../../../helpers/folder.js'

const NOW = 1_700_000_000_000
const HOUR = 3_600_000

async function openDb (t: Test) {
  const db = await connectSqlite(async () => testFolder(t))()
  t.teardown(() => db.destroy())
  for (const { up } of migrations) await up(db, 'sqlite' as never)
  return db
}

t.test('a pause with an end ends, and neither shortens nor replaces one of a person', async t => {
  const db = await openDb(t)
  const set = (hours: number | undefined) =>
    pause(db, { id: 'queue', until: hours === undefined ? undefined : NOW + hours * HOUR, by: 'x', now: NOW })
  const isHeld = async (hours: number): Promise<boolean> =>
    await db.selectNoFrom(({ exists, ...rest }) => exists(inForce(['queue'], NOW + hours * HOUR)(rest)).as('held')).executeTakeFirst()
      .then(row => Boolean(row?.held))
  await set(9)
  t.equal((await readPauses(db)).get('queue'), NOW + 9 * HOUR)
  t.same([await isHeld(8), await isHeld(9)], [true, false], 'nothing starts before its end, and what waits starts after it')
  await set(5)
  t.equal((await readPauses(db)).get('queue'), NOW + 9 * HOUR, 'of two ends the later one counts')
  await set(10)
  t.equal((await readPauses(db)).get('queue'), NOW + 10 * HOUR)
  await set(undefined)
  t.equal((await readPauses(db)).get('queue'), Infinity)
  await set(1)
  t.equal((await readPauses(db)).get('queue'), Infinity, 'a rule does not end what a person paused')
  t.equal(await isHeld(1_000), true)
  await resume(db, 'queue')
  t.same([...await readPauses(db)], [], 'whoever resumes it ends every pause')
})
