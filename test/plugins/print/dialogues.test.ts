import t from 'tap'
import { createHmsCatalogue } from '../../../core/printer/hms/index.js'
import { controlAms } from '../../../plugins/filament/operations/settings.js'
import { clearPrintError } from '../../../plugins/print/operations.js'

function printer (code: string) {
  const sent: string[] = []
  const fault = { type: 'device_error', code, digits: code.slice(4).replace('-', '') }
  const session = {
    name: 'x1c',
    service: 'CONNECTED',
    live: true,
    config: { serial: '00M01' },
    state: { errors: { printError: 7, faults: [fault] }, job: { startedAt: 1_000_000 } },
    perform: async (purpose: string) => { sent.push(purpose) }
  }
  return { context: { session, kernel: { hms: createHmsCatalogue() } } as any, sent }
}

t.test('nothing is sent for a dialogue that is gone', async t => {
  const shown = { fault: 'HMS_0701-8004', job_start: 1_000 }
  const same = printer('HMS_0701-8004')
  await controlAms.run(same.context, { control: 'resume', resume_print: true, ...shown })
  await clearPrintError.run(same.context, { print_error: 7, ...shown })
  t.same(same.sent, ['the AMS command resume', 'to clear the error'])
  const other = printer('HMS_0701-8005')
  const gone = { code: 'PRN_ERR_DIALOGUE_GONE' }
  t.throws(() => controlAms.run(other.context, { control: 'resume', resume_print: true, ...shown }), gone)
  t.throws(() => clearPrintError.run(other.context, { print_error: 7, ...shown }), gone)
  t.throws(() => controlAms.run(same.context, { control: 'abort', resume_print: true, ...shown }), { code: 'PRN_ERR_NOT_AN_ANSWER' })
  t.same([other.sent, same.sent.length], [[], 2])
  await controlAms.run(other.context, { control: 'resume', resume_print: true })
  t.same(other.sent, ['the AMS command resume'], 'without a dialogue it is for whatever the printer shows')
})
