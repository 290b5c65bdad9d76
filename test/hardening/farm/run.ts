// node --import=tsx test/hardening/farm/run.ts [--printers 50] [--jobs 400] [--kills 10] [--services 2 --database URL]
import { parseArgs } from 'node:util'
import { farmDay } from './day.js'

const { values: { database, ...numbers } } = parseArgs({
  options: {
    printers: { type: 'string', default: '50' },
    jobs: { type: 'string', default: '400' },
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    services: { type: 'string', default: '1' },
    database: { type: 'string' }
  }
})
const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)
const [printers, jobs, kills, seed, services] =
  [numbers.printers, numbers.jobs, numbers.kills, numbers.seed, numbers.services].map(Number) as
  [number, number, number, number, number]
console.log(await farmDay({ printers, jobs, kills, seed, services, database }, say))
