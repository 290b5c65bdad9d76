// npm run bench farm -- --printers 50 --jobs 400 --kills 10 --seed 1 [--services 2] [--postgres | --database URL]
import { parseArgs } from 'node:util'
import { farmDay, type Result } from '../hardening/farm/day.js'
import { startPostgres } from '../plugins/database/postgres.js'
import type { Row } from './row.js'

const NUMBER = { type: 'string' } as const

/** What has to be none, or one and the same. */
function rowsOf (day: string, result: Result): Row[] {
  const { asked, printed, counted, recorded, onUsedPlate, toldTwice, differences, wrongJobs } = result
  const equal = (what: string, ours: number): Row =>
    ({ name: `farm, ${day}: ${what}`, ours, baseline: asked, unit: 'copies', bar: { atLeast: 1, atMost: 1 } })
  const none = (what: string, ours: number): Row =>
    ({ name: `farm, ${day}: ${what}`, ours, unit: '', bar: { atMost: 0 } })
  return [
    equal('printed of asked', printed),
    equal('counted by the queue of asked', counted),
    equal('recorded in the history of asked', recorded),
    none('starts on a plate that was not cleared', onUsedPlate.length),
    none('told twice', toldTwice.length),
    none('jobs with too many or too few', wrongJobs.length),
    none('differences', differences.length)
  ]
}

/** A day of a farm whose service is killed; its table is no measure of time. */
export async function farm (args: readonly string[]): Promise<Row[]> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      printers: NUMBER,
      jobs: NUMBER,
      kills: NUMBER,
      seed: NUMBER,
      services: NUMBER,
      database: NUMBER,
      postgres: { type: 'boolean' }
    }
  })
  const { printers = '50', jobs = '400', kills = '10', seed = '1', services = '1' } = values
  const ends: (() => unknown)[] = []
  const own = values.postgres === true
    ? await startPostgres({ teardown: end => { ends.unshift(end) } })
    : undefined
  const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
  try {
    const result = await farmDay({
      printers: Number(printers),
      jobs: Number(jobs),
      kills: Number(kills),
      seed: Number(seed),
      services: Number(services),
      database: values.database ?? own?.newDatabase()
    }, say)
    console.log(result)
    return rowsOf(`${printers} printers, ${jobs} jobs, ${kills} kills, ${services} services, seed ${seed}`, result)
  } finally {
    for (const end of ends) await end()
  }
}
