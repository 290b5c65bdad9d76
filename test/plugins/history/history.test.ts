import t, { type Test } from 'tap'
import type { VirtualJob, VirtualPrinter } from '../../../plugins/emulator/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { recordedWith } from './preset.js'

interface Print {
  readonly id: string
  readonly name: string
  readonly result: string
  readonly [member: string]: unknown
}

/** On a busy machine. */
const WITHIN_MS = 60_000

const preset = recordedWith()
const PRINTER = { model: 'X1C', name: 'x1c', speed: 600, reportEveryMs: 100 } as const
const JOB: VirtualJob = { name: 'cube', layers: 20, minutes: 10, filament: { ams: 0, slot: 0 } }
const LONG: VirtualJob = { ...JOB, minutes: 600 }

const prints = async ({ http }: Booted, params = {}): Promise<Print[]> => {
  const { status, body } = await http('GET', '/api/history', params)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as { prints: Print[] }).prints
}

const materialOf = ({ filaments }: Print) => (filaments as { material: string }[])[0]?.material

/** Waits until the newest print has this result. */
async function shown (booted: Booted, result: string): Promise<Print> {
  let newest: Print | undefined
  await eventually(async () => {
    newest = (await prints(booted))[0]
    return newest?.result === result
  }, WITHIN_MS)
  return newest as Print
}

/** Another service for the same printer and the same data. */
async function again (t: Test, { printer, kernel }: Booted, options: object): Promise<Booted> {
  const { name, host, serial, accessCode, ports, fingerprint } = printer as VirtualPrinter
  const entry = { name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } }
  const config = { ...options, dataDir: kernel.dataDir, printers: [entry] }
  return await boot(t, { preset, models: [], config })
}

function suite (t: Test, plugins: (t: Test) => Promise<object>): void {
  const start = async (t: Test) => {
    const options = { plugins: { database: await plugins(t) } }
    const dataDir = testFolder(t)
    return { ...await boot(t, { preset, models: [PRINTER], config: { ...options, dataDir } }), options }
  }

  /** A service that is started again while a print runs. */
  async function restarted (t: Test) {
    const booted = await start(t)
    booted.printer.startJob(LONG)
    const { id } = await shown(booted, 'running')
    await booted.kernel.close()
    return { id, next: await again(t, booted, booted.options) }
  }

  t.test('a print is one record across a restart of the service and another name of the printer', async t => {
    const { id, next } = await restarted(t)
    await eventually(() => next.kernel.printers.get('x1c')?.state !== undefined, WITHIN_MS)
    t.same((await prints(next)).map(print => print.id), [id])
    const config = next.kernel.printers.config('x1c')
    await next.kernel.printers.remove('x1c')
    t.match(await shown(next, 'unknown'), { id })
    if (config) await next.kernel.printers.add({ ...config, name: 'other' })
    t.match(await shown(next, 'running'), { id, printer: 'other' })
    t.equal((await prints(next)).length, 1)
  })

  t.test('a printer that goes before anything was heard of it leaves no print that runs', async t => {
    const { id, next } = await restarted(t)
    await next.kernel.printers.remove('x1c')
    t.match(await shown(next, 'unknown'), { id })
  })

  t.test('people add notes, correct results, search, count and delete', async t => {
    const booted = await start(t)
    const { http, tool, printer } = booted
    for (const job of [{ ...JOB, name: 'cube' }, { ...JOB, name: 'vase' }]) {
      printer.startJob(job)
      await eventually(async () => (await prints(booted, { text: job.name, result: 'finished' })).length === 1, WITHIN_MS)
    }
    const [vase, cube] = await prints(booted) as [Print, Print]
    t.same([vase.name, cube.name], ['vase', 'cube'])

    const first = (await http('GET', '/api/history', { limit: 1 })).body as { prints: Print[], cursor: string }
    const second = (await http('GET', '/api/history', { limit: 1, cursor: first.cursor })).body as typeof first
    t.same([first.prints[0]?.id, second.prints[0]?.id, second.cursor], [vase.id, cube.id, null])

    const noted = await http('PATCH', `/api/history/${vase.id}`, {
      note: 'Too MUCH stringing', rating: 2, result: 'failed', tags: ['toy', 'gift']
    })
    t.match(noted.body, {
      note: 'Too MUCH stringing', rating: 2, result: 'failed', reported_result: 'finished', tags: ['toy', 'gift']
    })
    for (const search of [{ text: 'much' }, { text: 'GIFT' }, { text: 'vase', material: String(materialOf(vase)) }]) {
      t.same((await prints(booted, search)).map(({ id }) => id), [vase.id], JSON.stringify(search))
    }
    t.same(await prints(booted, { material: 'none' }), [])
    const tooLong = await http('PATCH', `/api/history/${vase.id}`, { note: 'x'.repeat(1_000_000) })
    t.match(tooLong, { status: 400 }, 'a note of a megabyte')
    t.notMatch(JSON.stringify(tooLong.body), /x{200}/, 'which is not told back')
    t.match((await http('GET', `/api/history/${vase.id}`)).body, { note: 'Too MUCH stringing' })
    t.match((await http('GET', '/api/history/statistics')).body, { prints: 2, finished: 1, failed: 1, success_rate: 0.5 })
    t.match(JSON.stringify(await tool('print_statistics')), /success_rate/)
    t.match((await http('PATCH', `/api/history/${vase.id}`, { result: 'reported' })).body, { result: 'finished' })

    t.equal((await http('DELETE', `/api/history/${vase.id}`)).status, 200)
    t.equal((await http('GET', `/api/history/${vase.id}`)).status, 404)
    t.equal((await http('DELETE', `/api/history/${vase.id}`)).status, 404)
    t.same((await prints(booted)).map(({ id }) => id), [cube.id])

    printer.startJob(LONG)
    const running = await shown(booted, 'running')
    t.equal((await http('DELETE', `/api/history/${running.id}`)).status, 409)
  })
}

t.test('with SQLite', async t => suite(t, async () => ({})))

t.test('with PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  suite(t, async () => ({ url: server.newDatabase() }))
})
