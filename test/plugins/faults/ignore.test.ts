import t from 'tap'
import type { Test } from 'tap'
import daemon from '../../../presets/daemon/index.js'
import standalone from '../../../presets/standalone/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { add, clear, fastDaemon, FAST, queueOf, sent, sliced, until, upload } from '../queue/helpers.js'

/** Motor B has lost steps: fatal by its number. */
const LISTED = { attr: 0x03000700, code: 0x00010003 }
const CODE = 'HMS_0300-0700-0001-0003'
const OTHER = { attr: 0x03000100, code: 0x00010007 }
const OTHER_CODE = 'HMS_0300-0100-0001-0007'

const faultsOf = async ({ http }: Booted): Promise<Record<string, any>[]> =>
  (await http('GET', '/api/printer')).body._printer_state.hms_errors
const conditionOf = async ({ http }: Booted) => (await http('GET', '/api/fleet')).body.printers[0].condition
const takeAlerts = async ({ http }: Booted) => (await http('GET', '/api/alerts')).body as unknown as Record<string, any>[]
const begin = (t: Test, config: object = {}) =>
  boot(t, { preset: fastDaemon, models: [{ model: 'X2D', name: 'x2d', ...FAST }], config: { dataDir: testFolder(t), ...config } as never })

t.test('an entry that a printer always lists does not keep the queue from starting prints', async t => {
  const booted = await begin(t)
  booted.printer.patch({ hms: [LISTED] })
  await eventually(async () => (await faultsOf(booted)).length === 1)
  t.match(await faultsOf(booted), [{ code: CODE, severity: 'Historical', is_critical: false }])
  await upload(booted, sliced({ model: 'N6' }))
  await clear(booted, 'x2d')
  const { id } = await add(booted, { file: 'cube.gcode.3mf' })
  await until(booted, id, ({ runs }) => runs.length === 1)
  await eventually(() => sent(booted.printer).length === 1)
})

t.test('a fault that a person ignores does not count anywhere, until it counts again', async t => {
  const booted = await begin(t)
  const { http, tool, printer } = booted
  await eventually(async () => (await queueOf(booted)).printers[0]?.is_ready === false)
  printer.patch({ print_error: 0x03008008, hms: [LISTED] })
  await eventually(async () => (await conditionOf(booted)) === 'error')
  t.match(await takeAlerts(booted), [{ type: 'hms_error_new' }])
  await eventually(async () => /shows a fault/.test((await queueOf(booted)).printers[0]?.reason ?? ''))

  t.match(await http('POST', '/api/ignore_fault', { code: 'nonsense' }), { status: 400, body: { error: 'bad_fault_code' } })
  t.match(await http('POST', '/api/ignore_fault', { code: '0300_0700_0001_0003' }), {
    status: 200, body: { ignored: [{ code: CODE, by: 'http (local)', is_reported: true }] }
  })
  t.match(await tool('ignore_fault', { name: 'x2d', code: 'HMS_0300-8008' }), { failed: true })
  t.match(await tool('ignore_fault', { name: 'x2d', code: 'HMS_0300-8008', user_permission: true }), { failed: false })
  t.match(await faultsOf(booted), [
    { code: 'HMS_0300-8008', severity: 'Historical', is_critical: false, ignored: true },
    { code: CODE, severity: 'Historical', is_critical: false, ignored: true }
  ])
  await eventually(async () => (await conditionOf(booted)) === 'idle')
  await eventually(async () => !/shows a fault/.test((await queueOf(booted)).printers[0]?.reason ?? ''))
  await takeAlerts(booted)

  printer.patch({ hms: [LISTED, OTHER] })
  await eventually(async () => (await faultsOf(booted)).length === 3)
  t.match((await faultsOf(booted))[2], { code: OTHER_CODE, severity: 'Fatal', is_critical: true }, 'it hides no other fault')
  t.match(await takeAlerts(booted), [{ type: 'hms_error_new', payload: { errors: [{ code: OTHER_CODE }] } }])

  t.match(await http('POST', '/api/ignore_fault', { code: CODE, ignore: false }), { body: { ignored: [{ code: 'HMS_0300-8008' }] } })
  t.match((await faultsOf(booted))[1], { code: CODE, severity: 'Fatal', is_critical: true })
  t.equal((await http('GET', '/api/ignored_faults')).body.ignored.length, 1)
})

t.test('what is ignored is kept over a restart, with or without a database', async t => {
  for (const preset of [fastDaemon, standalone]) {
    const dataDir = testFolder(t)
    const options = { preset, models: [{ model: 'P2S' as const, name: 'p2s', ...FAST }], config: { dataDir } as never }
    const first = await boot(t, options)
    await first.http('POST', '/api/ignore_fault', { code: CODE })
    await first.close()
    const again = await boot(t, options)
    t.match((await again.http('GET', '/api/ignored_faults')).body, { ignored: [{ code: CODE, is_reported: false }] })
    again.printer.patch({ print_error: 0x03008008, hms: [LISTED] })
    await eventually(() => again.kernel.printers.get('p2s')?.state?.errors.faults.some(fault => fault.code === CODE && fault.ignored === true) === true)
  }
})

t.test('no more faults are ignored than anybody means to', async t => {
  const booted = await boot(t, { preset: daemon, config: { dataDir: testFolder(t) } as never })
  const ignore = (n: number) => booted.http('POST', '/api/ignore_fault', { code: `0300-${String(n).padStart(4, '0')}` })
  for (let n = 1; n <= 64; n++) await ignore(n)
  t.match(await ignore(65), { status: 409, body: { error: 'too_many_ignored' } })
  t.match(await ignore(64), { status: 200 })
})
