import t from 'tap'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { endsWith } from './ends.js'

t.setTimeout(280_000)

t.test('ways in which a print ends, with PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  await endsWith(t, { url: server.newDatabase() }, ['twice', 'here', 'dead', 'moved'])
})
