import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { wordsOf } from '../../../plugins/notify/words.js'
import type { Alert } from '../../../plugins/alerts/index.js'

const RAN_OUT = { attr: 0x07002000, code: 0x00020001 }
const ALWAYS = { attr: 0x03000700, code: 0x00010003 }
const UNKNOWN = 0x0500809C

t.test('why a job pauses is told, also where only the health list says so', async t => {
  const { printer, kernel, name, http } = await boot(t, { models: [{ model: 'X1C', reportEveryMs: 50 }] })
  const { queue } = kernel.services.alerts
  const take = async (patch: Record<string, unknown>, types: string): Promise<Alert[]> => {
    queue.drain(name)
    printer.patch(patch)
    await eventually(() => queue.peek(name).map(({ type }) => type).join() === types)
    return [...queue.drain(name)]
  }
  await take({ gcode_state: 'RUNNING', subtask_name: 'x', print_error: 0, hms: [ALWAYS], stg_cur: 0 }, 'job_started')
  const [paused] = await take({ gcode_state: 'PAUSE', hms: [ALWAYS, RAN_OUT], stg_cur: -1 }, 'job_paused')
  t.match(paused, {
    payload: { stage_name: 'unknown', code: 'HMS_0700-2000-0002-0001', reason: /^AMS A.* slot 1.*run out/i }
  })
  t.match(wordsOf(paused as Alert).text, /^HMS_0700-2000-0002-0001: AMS A.* slot 1.*run out/i)
  t.notMatch(wordsOf(paused as Alert).text, /Stage/)

  await take({ gcode_state: 'RUNNING', hms: [ALWAYS] }, 'job_resumed')
  const [plain] = await take({ gcode_state: 'PAUSE', stg_cur: -1 }, 'job_paused')
  t.notOk('reason' in (plain as Alert).payload, 'an entry that stood there before is not the reason')
  const [explained] = await take({ hms: [ALWAYS, RAN_OUT] }, 'job_paused')
  t.match(explained, {
    payload: { replaces: 'job_paused', code: 'HMS_0700-2000-0002-0001', reason: /^AMS A.* slot 1.*run out/i }
  }, 'an entry that follows the pause is')
  const inLog = async () => (await http('GET', '/api/alert_log')).body.alerts.filter(({ type }: Alert) => type === 'job_paused')
  await eventually(async () => (await inLog()).some(({ payload }: Alert) => payload.replaces === 'job_paused'))
  await eventually(async () => (await inLog()).length === 2) // it stands in place of the one without a reason
})

t.test('a fault without a text is told once, with what is known of it and where to look', async t => {
  const { printer, kernel, name } = await boot(t, { models: [{ model: 'X1C', reportEveryMs: 50 }] })
  const { queue } = kernel.services.alerts
  printer.patch({ gcode_state: 'RUNNING', subtask_name: 'x', print_error: 0, hms: [] })
  await eventually(() => queue.peek(name).length === 1)
  queue.drain(name)
  printer.patch({ gcode_state: 'PAUSE', print_error: UNKNOWN, hms: [{ attr: UNKNOWN, code: 0x0003809C }] })
  await eventually(() => queue.peek(name).length === 2)
  const [paused, fault] = queue.drain(name) as [Alert, Alert]
  t.match(paused, { type: 'job_paused', payload: { reason: 'Mainboard waits for you to act, number 809C.' } })
  t.equal((fault.payload.errors as unknown[]).length, 1)
  const { text } = wordsOf(fault)
  t.equal(text, 'HMS_0500-809C: Mainboard waits for you to act, number 809C. https://wiki.bambulab.com/en/hms/error-code')
})
