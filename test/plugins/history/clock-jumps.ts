import type { Test } from 'tap'
import { DAY_MS } from '../../../plugins/history/sums.js'
import { eventually } from '../../helpers/eventually.js'
import type { Desk, Service } from './ends.test.js'
import { LONG } from './prints.js'

/** The clock of the host is set while prints run: a day ahead or back is no time that they took. */
export async function clockThatJumps (t: Test, { printer, shows, results }: Desk, { jump }: Service): Promise<void> {
  const before = performance.now()
  for (const ms of [2 * DAY_MS, -DAY_MS]) {
    printer.startJob(LONG)
    const { id, started_at: startedAt } = await shows('running')
    jump(ms)
    await eventually(() => printer.report().layer_num !== undefined)
    printer.stopJob()
    const ended = await shows('cancelled')
    t.match(ended, { id, started_at: startedAt })
    const seconds = Number(ended.prepare_s) + Number(ended.printing_s) + Number(ended.paused_s) + Number(ended.unseen_s)
    t.ok(Number(ended.ended_at) >= Number(startedAt), 'no end before its start')
    t.ok(seconds <= (performance.now() - before) / 1000 + 1, `${seconds} s are no day`)
  }
  t.same(await results(), ['long cancelled', 'long cancelled'])
}
