import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createVirtualPrinter, type VirtualJob } from '../../../plugins/emulator/index.js'
import { createService } from '../../hardening/farm/service.js'
import { testFolder } from '../../helpers/folder.js'
import { eventually } from '../../helpers/eventually.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import type { Print } from './prints.js'

const WITHIN_MS = 60_000
const LOOK_EVERY_MS = 200
const LONG: VirtualJob = { name: 'long', layers: 20, minutes: 20_000, filament: { ams: 0, slot: 0 } }
const CARD = '/calibration-cube.gcode.3mf'

t.test('two services that watch one printer make one record of a print', { skip: withoutPostgres }, async t => {
  const printer = createVirtualPrinter({
    model: 'X1C', name: 'x', speed: 60, reportEveryMs: 300, sdCard: { samples: true }
  })
  t.teardown(() => printer.stop())
  await printer.start()
  const server = await startPostgres(t)
  const folder = testFolder(t)
  const config = join(folder, 'two.json')
  const { name, host, serial, accessCode, ports, fingerprint } = printer
  writeFileSync(config, JSON.stringify({
    log: { file: false },
    plugins: { database: { url: server.newDatabase() } },
    printers: [{ name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } }]
  }))
  const [one, two] = [createService(testFolder(t), config), createService(testFolder(t), config)] as const
  t.teardown(() => Promise.all([one.end('SIGKILL'), two.end('SIGKILL')]))
  const prints = async (service = two) => (await service.ask<{ prints: Print[] }>('GET', '/api/history')).prints
  async function shows (count: number, test: (print: Print) => boolean): Promise<Print> {
    let all: Print[] = []
    await eventually(async () => {
      all = await prints()
      const [newest] = all
      return all.length === count && newest !== undefined && test(newest)
    }, WITHIN_MS, LOOK_EVERY_MS)
    return all[0] as Print
  }
  const isLive = (service: typeof one) => eventually(async () => {
    const { printers } = await service.ask<{ printers: { connected: boolean }[] }>('GET', '/api/printers')
    return printers.every(({ connected }) => connected)
  }, WITHIN_MS, LOOK_EVERY_MS)

  await one.start()
  await isLive(one)
  await two.start()
  await isLive(two)
  printer.startJob(LONG)
  const { id } = await shows(1, ({ result, state }) => result === 'running' && state !== 'none')
  t.match((await prints(one)).map(print => print.id), [id])

  await one.end('SIGKILL') // it recorded; the other goes on with it
  await two.ask('POST', '/api/stop_printing', { printer: 'x' })
  t.match(await shows(1, ({ result }) => result === 'cancelled'), { id, ended_by: 'http', start_seen: true },
    'by a service that took over meanwhile')

  await one.start()
  await isLive(one)
  const start = { printer: 'x', filename: CARD, use_ams: true, ams_mapping: '[0]', accept_mismatch: true }
  await one.ask('POST', '/api/print_3mf', start)
  const next = await shows(2, ({ started_by: by }) => by.startsWith('http'))
  await two.end('SIGTERM') // and gives its printers up at once
  await eventually(async () => {
    const [print] = await prints(one)
    return print?.id === next.id && print.result === 'finished'
  }, WITHIN_MS, LOOK_EVERY_MS)
  t.equal((await prints(one)).length, 2)
})
