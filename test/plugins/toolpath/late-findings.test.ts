import t from 'tap'
import { isActive, type PrinterSession } from '../../../core/index.js'
import type { Finding as AlertFinding } from '../../../plugins/alerts/index.js'
import { createPlateJudge } from '../../../plugins/toolpath/judge-start.js'
import type { FindingView } from '../../../plugins/toolpath/schemas.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { actOnLateFindings } from '../../../plugins/toolpath/late-findings.js'
import { TooManyPlates } from '../../../plugins/toolpath/errors.js'
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
      raise: (_, alert) => { alerts.push(alert) }
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
