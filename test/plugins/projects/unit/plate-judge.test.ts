import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import type { Accepts } from '../../../../plugins/projects/findings/check-findings.js'
import { PlateJudge } from '../../../../plugins/projects/findings/plate-judge.js'
import type { PlateFinding } from '../../../../plugins/projects/schemas.js'

const printer = { name: 'x1c' } as PrinterSession
const { signal } = new AbortController()
const start = { path: '/part.3mf', plate: 1 }
const finding = (code: string, weight: PlateFinding['weight'], isAcceptable: boolean): PlateFinding => ({
  code,
  weight,
  may_accept: isAcceptable,
  line: 1,
  layer: 1,
  position: null,
  times: 1,
  figures: {},
  message: `Line 1: ${code}`,
  remedy: 'Slice it again.'
})

function judgeOf (...findings: readonly PlateFinding[]): PlateJudge {
  const plates = new PlateJudge()
  plates.by({
    judge: async () => ({ findings, unread: '' }),
    uploaded: async () => { throw new Error('the disk is full') }
  })
  return plates
}

t.test('what refuses a start, and what accepts it', async t => {
  const refuses = async (plates: PlateJudge, accepts: Partial<Accepts> = {}) =>
    await plates.check(printer, start, { accepted: [], signal, ...accepts }).then(() => '', error => error.message as string)
  t.match(await refuses(judgeOf(finding('outside_area', 'stop', false)), { accepted: ['outside_area'] }), /outside_area/)
  const changed = judgeOf(finding('md5_mismatch', 'stop', true))
  t.match(await refuses(changed), /accept_findings \["md5_mismatch"\]/)
  t.equal(await refuses(changed, { accepted: ['md5_mismatch'] }), '')
  const fast = judgeOf(finding('flow_too_high', 'warn', true))
  t.equal(await refuses(fast), '', 'a person is asked elsewhere')
  t.match(await refuses(fast, { isUnattended: true }), /flow_too_high/)
  t.equal(await refuses(fast, { isUnattended: true, accepted: ['flow_too_high'] }), '')
  t.equal(await refuses(judgeOf(finding('spool_runs_out', 'warn', true)), { isUnattended: true }), '', 'the queue decides about spools')
  t.match(await refuses(judgeOf(...Array.from({ length: 5 }, () => finding('too_high', 'stop', false)))), /And 2 more/)
})

t.test('no start fails because a reading cannot be copied, unless it was aborted', async t => {
  const sent = { from: '/library/part.3mf', to: '/part.3mf', plate: 1 }
  await judgeOf().uploaded(printer, sent, signal)
  await new PlateJudge().uploaded(printer, sent, signal)
  await t.rejects(judgeOf().uploaded(printer, sent, AbortSignal.abort(new Error('closing'))), { message: 'closing' })
})

t.test('without a plugin that reads plates nothing is refused, and the answer says so', async t => {
  t.match(await new PlateJudge().check(printer, start, { accepted: [], signal }), { findings: [], unread: /does not read plates/ })
})
