import t from 'tap'
import { isActive } from '../../../core/index.js'
import type { Finding as AlertFinding } from '../../../plugins/alerts/index.js'
import { createPlateJudge } from '../../../plugins/toolpath/judge-start.js'
import type { FindingView } from '../../../plugins/toolpath/schemas.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
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
