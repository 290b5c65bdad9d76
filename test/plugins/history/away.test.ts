import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createVirtualPrinter, type VirtualJob, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { createService } from '../../hardening/farm/service.js'
import { testFolder } from '../../helpers/folder.js'
import { eventually } from '../../helpers/eventually.js'
import { brief, QUICK, type Print } from './prints.js'

// What becomes of prints while the service is away: it is killed, and ended as it should be, and started again.

const WITHIN_MS = 60_000
const LOOK_EVERY_MS = 100
const SHORT: VirtualJob = { name: 'short', layers: 20, minutes: 10, filament: { ams: 0, slot: 0 } }
const LONG: VirtualJob = { ...SHORT, name: 'long', minutes: 20_000 }
const NAMES = ['begins', 'ends', 'stays', 'passes', 'next', 'same'] as const
type Name = (typeof NAMES)[number]

t.test('prints while the service is killed, or down', async t => {
  const printers = NAMES.map(name => createVirtualPrinter({ model: 'X1C', name, ...QUICK }))
  const by = (name: Name) => printers[NAMES.indexOf(name)] as VirtualPrinter
  t.teardown(() => Promise.all(printers.map(printer => printer.stop())))
  await Promise.all(printers.map(printer => printer.start()))
  const dataDir = testFolder(t)
  const config = join(dataDir, 'farm.json')
  writeFileSync(config, JSON.stringify({
    log: { file: false },
    printers: printers.map(({ name, host, serial, accessCode, ports, fingerprint }) =>
      ({ name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } }))
  }))
  const service = createService(dataDir, config)
  t.teardown(() => service.end('SIGKILL'))
  const prints = async (name: Name): Promise<Print[]> =>
    (await service.ask<{ prints: Print[] }>('GET', `/api/history?printer_name=${name}`)).prints
  async function shows (name: Name, result: string, test: (print: Print) => boolean = () => true): Promise<Print> {
    let newest: Print | undefined
    await eventually(async () => {
      newest = (await prints(name))[0]
      if (newest?.result === result && test(newest)) return true
      throw new Error(`${name}: ${JSON.stringify(newest)} is not ${result}`)
    }, WITHIN_MS, LOOK_EVERY_MS)
    return newest as Print
  }
  const has = (name: Name, state: string) => eventually(() => by(name).report().gcode_state === state, WITHIN_MS)
  const allLive = () => eventually(async () => {
    const { printers } = await service.ask<{ printers: { connected: boolean }[] }>('GET', '/api/printers')
    return printers.length === NAMES.length && printers.every(({ connected }) => connected)
  }, WITHIN_MS, LOOK_EVERY_MS)

  await service.start()
  await allLive()
  for (const name of ['ends', 'stays', 'next', 'same'] as const) by(name).startJob(LONG)
  by('passes').startJob({ ...SHORT, name: 'before' })
  await shows('passes', 'finished')
  const ids = new Map<Name, string>()
  for (const name of ['ends', 'stays', 'next', 'same'] as const) ids.set(name, (await shows(name, 'running')).id)

  await service.end('SIGKILL')
  by('begins').startJob(LONG)
  for (const name of ['ends', 'next', 'same'] as const) by(name).stopJob()
  by('passes').startJob(SHORT)
  await has('passes', 'FINISH')
  by('next').startJob({ ...LONG, name: 'other' })
  by('same').startJob(LONG)
  await has('same', 'RUNNING')
  await service.start()
  await allLive()

  t.match(await shows('begins', 'running'), { start_seen: false, started_by: '' }, 'it began while nobody looked')
  t.match(await shows('ends', 'cancelled'), { id: ids.get('ends'), end_seen: false, ended_by: 'elsewhere' }, 'it ended so')
  const stays = await shows('stays', 'running')
  t.match(stays, { id: ids.get('stays'), start_seen: true, interruptions: 0 }, 'it goes on')
  t.match(await shows('passes', 'finished', ({ name }) => name === 'short'), { start_seen: false, end_seen: false },
    'all of it while nobody looked')
  t.match(await shows('next', 'running', ({ name }) => name === 'other'), { start_seen: false }, 'another one runs by now')
  t.same((await prints('next')).map(brief), ['other running', 'long unknown'])
  t.match((await prints('same')).at(-1), { id: ids.get('same') })

  await service.end('SIGTERM')
  by('stays').stopJob()
  await service.start()
  await allLive()
  const ended = await shows('stays', 'cancelled')
  t.match(ended, { id: ids.get('stays'), end_seen: false, interruptions: 0 })
  t.ok(Number(ended.unseen_s) > 0, 'the time away is counted apart')
  const counts = await Promise.all(NAMES.map(async name => `${name} ${(await prints(name)).length}`))
  t.same(counts.filter(text => !text.startsWith('same')), ['begins 1', 'ends 1', 'stays 1', 'passes 2', 'next 2'])
})
