import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isActive, type PrinterSession } from '../../../core/index.js'
import type { Finding as AlertFinding } from '../../../plugins/alerts/index.js'
import { createPlateJudge } from '../../../plugins/toolpath/judge-start.js'
import type { FindingView } from '../../../plugins/toolpath/schemas.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { actOnLateFindings } from '../../../plugins/toolpath/late-findings.js'
import { TooManyPlates } from '../../../plugins/toolpath/errors.js'
import { UnreadPlates } from '../../../plugins/toolpath/unread-plates.js'
import { testFolder } from '../../helpers/folder.js'
import { DATA } from './late-findings.data.js'

const silent = { info: () => {}, warn: () => {} }

t.test('what is found in a plate after its print has started', async t => {
  const { kernel, printer, name } = await boot(t, {
    preset: featuresWith(), models: [{ model: 'X1C', speed: 60, reportEveryMs: 100 }]
  })
  const session = kernel.printers.resolve(name)
  const alerts: AlertFinding[] = []

  /** Starts a print whose plate takes too long to be read. @returns a function that ends reading it */
  async function printSlowly (pauses: boolean) {
    let resolve: (findings: readonly FindingView[]) => void = () => {}
    const promise = new Promise<readonly FindingView[]>(_resolve => { resolve = _resolve })
    const judge = createPlateJudge({
      toolpath: {
        read: () => promise as never,
        readHost: () => promise as never,
        findings: (_, read) => read as never,
        sure: () => []
      },
      kernel,
      log: silent,
      raise: (_, alert) => { alerts.push(alert) },
      unread: { keep: () => () => {} }
    })
    const read = await judge(session, { path: '/slow.3mf', plate: 1 }, { signal: kernel.signal, withinMs: 20 })
    t.match(read, { findings: [], unread: /still being read/ })
    printer.startJob({ name: 'slow', minutes: 600 })
    await eventually(() => isActive(session.state?.job.gcodeState ?? ''))
    read.follow?.({ job: { taskId: '', subtaskName: 'slow' }, accepted: ['md5_mismatch'], pauses })
    return resolve
  }
  const stop = async () => {
    printer.stopJob()
    await eventually(() => session.state?.job.gcodeState === 'FAILED')
  }

  await t.test('pauses it if that was asked for, and is reported', async t => {
    const end = await printSlowly(true)
    end([DATA.outside, DATA.note])
    await eventually(() => session.state?.job.gcodeState === 'PAUSE')
    await eventually(() => alerts.length === 1)
    t.match(alerts, [{ type: 'plate_fault', severity: 'high', payload: { gcode_file: '/slow.3mf', reason: /layer 2.*was paused/s } }])
    await stop()
  })

  await t.test('is only reported otherwise', async t => {
    const end = await printSlowly(false)
    end([DATA.outside])
    await eventually(() => alerts.length === 2)
    t.match(alerts[1], { payload: { reason: /It goes on printing/ } })
    t.not(session.state?.job.gcodeState, 'PAUSE')
    await stop()
  })

  await t.test('is nothing to report if it was accepted, is harmless, or the print is over', async t => {
    for (const findings of [[DATA.accepted], [DATA.note]]) {
      const end = await printSlowly(true)
      end(findings)
      t.not(session.state?.job.gcodeState, 'PAUSE')
      await stop()
    }
    const end = await printSlowly(true)
    await stop()
    end([DATA.outside])
    printer.startJob({ name: 'another', minutes: 600 })
    await eventually(() => isActive(session.state?.job.gcodeState ?? ''))
    t.equal(alerts.length, 2)
  })
})

t.test('a plate that cannot be read to its end is reported while its print runs', async t => {
  const alerts: AlertFinding[] = []
  async function failing (error: Error, gcodeState: string, { isClosing = false } = {}) {
    const { signal } = isClosing ? { signal: AbortSignal.abort() } : new AbortController()
    const session = {
      name: 'x1c', signal, state: { job: { gcodeState, taskId: '7', subtaskName: 'slow' } }, until: async () => {}
    } as unknown as PrinterSession
    const raise = (_: string, alert: AlertFinding) => { alerts.push(alert) }
    const deps = { kernel: { signal } as never, log: silent, raise }
    const job = { taskId: '7', subtaskName: 'slow' }
    const reading = Promise.reject(error)
    await actOnLateFindings(deps, session, { job, accepted: [], pauses: true, file: '/slow.3mf', reading })
  }
  await failing(new TooManyPlates(), 'RUNNING')
  t.match(alerts, [{ type: 'plate_unread', payload: { gcode_file: '/slow.3mf', reason: /Too many plates.*goes on printing/ } }])
  await failing(new TooManyPlates(), 'FINISH')
  await failing(new TooManyPlates(), 'RUNNING', { isClosing: true })
  t.equal(alerts.length, 1, 'not for a print that is over, nor when the service ends')
})

t.test('a plate whose reading ends with the service is read when it starts again', async t => {
  const folder = testFolder(t)
  const start = { path: '/slow.3mf', plate: 2, mapping: [3, -1], plateType: 'textured_plate' as const }
  const print = { job: { taskId: '7', subtaskName: 'slow' }, accepted: ['md5_mismatch'], pauses: true }
  let isReported = true
  const session = (serial: string) => ({
    config: { serial }, signal: new AbortController().signal, until: async () => isReported
  }) as unknown as PrinterSession
  let now = 1_000
  async function service () {
    const ending = new AbortController()
    const read: unknown[] = []
    const unread = await UnreadPlates.open(folder, {
      kernel: { now: () => now, signal: ending.signal },
      log: silent,
      follow: async ({ config }, ...more) => { read.push([config.serial, ...more]) }
    })
    return { unread, read, ending }
  }

  const first = await service()
  const judged = first.unread.keep(session('A'), start, print)
  first.unread.keep(session('B'), { path: '/other.3mf', plate: 1, isOnHost: true }, print)()
  first.ending.abort()
  judged()
  const stored = () => readFileSync(join(folder, 'unread.json'), 'utf8')
  await eventually(() => existsSync(join(folder, 'unread.json')) && stored().includes('"A"') && !stored().includes('"B"'))

  const second = await service()
  for (const serial of ['A', 'B', 'C']) await second.unread.resume(session(serial))
  t.same(second.read, [['A', { ...start, isOnHost: false }, print]], 'with all that was known of it')
  second.unread.keep(session('A'), start, print)
  await second.unread.resume(session('A'))
  t.equal(second.read.length, 2)
  await eventually(() => stored().trim() === '[]')

  const third = await service()
  await third.unread.resume(session('A'))
  t.same(third.read, [], 'once')
  third.unread.keep(session('A'), start, print)
  isReported = false
  await third.unread.resume(session('A'))
  isReported = true
  now += 86_400_001
  third.unread.keep(session('D'), start, print)
  now += 86_400_001
  await third.unread.resume(session('D'))
  t.same(third.read, [], 'not of a printer that is not heard from, nor of days ago')
})
