import t from 'tap'
import { checkAnswer } from '../../../core/index.js'
import { createHmsCatalogue } from '../../../core/printer/hms/index.js'

const OTHER = { type: 'device_error', code: 'HMS_0701-8004', digits: '07018004' }
const SHOWN = { type: 'device_error', code: 'HMS_0300-8016', digits: '03008016' }
/** An entry of the list that is over. */
const OVER = { type: 'device_hms', code: 'HMS_0700-2000-0002-0001', digits: '0700200000020001' }

function printer ({ faults = [SHOWN, OVER] as object[], startedAt = 1_000_000, live = true } = {}) {
  const hms = createHmsCatalogue()
  hms.addActions('00M', { '03008016': [8, 7, 5], '0700200000020001': [8] })
  const state = { errors: { printError: 1, faults }, job: { startedAt } }
  return { kernel: { hms }, session: { name: 'x1c', service: 'CONNECTED', live, state, config: { serial: '00M01' } } } as any
}

const SHOWS = { fault: SHOWN.code, job_start: 1_000 }

t.test('an answer is sent to the dialogue that it was meant for', async t => {
  checkAnswer(printer(), SHOWS, 'resume')
  checkAnswer(printer(), SHOWS, 'done')
  checkAnswer(printer(), { fault: SHOWN.code }, 'done')
  checkAnswer(printer({ faults: [OTHER] }), { fault: OTHER.code }, 'clean_print_error')
  t.pass('none was refused')
})

t.test('an answer to a dialogue that is gone is refused', async t => {
  const gone = { code: 'PRN_ERR_DIALOGUE_GONE', message: /does not show HMS_0300-8016 of that job any more: nothing was sent/ }
  t.throws(() => checkAnswer(printer({ faults: [OTHER] }), SHOWS, 'resume'), gone, 'another one is shown')
  t.throws(() => checkAnswer(printer({ faults: [] }), SHOWS, 'resume'), gone, 'none is shown')
  t.throws(() => checkAnswer(printer({ startedAt: 2_000_000 }), SHOWS, 'resume'), gone, 'the same one in the next job')
  t.throws(() => checkAnswer(printer({ faults: [OVER] }), { fault: OVER.code }, 'resume'), { code: 'PRN_ERR_DIALOGUE_GONE' }, 'it is history')
  t.throws(() => checkAnswer(printer({ live: false }), SHOWS, 'resume'), { code: 'PRN_ERR_STATE_NOT_CURRENT' }, 'nobody knows what it shows')
})

t.test('an answer that the dialogue does not offer is refused', async t => {
  const refused = { code: 'PRN_ERR_NOT_AN_ANSWER', message: "'abort' is no answer to HMS_0300-8016: nothing was sent. It takes resume, done" }
  t.throws(() => checkAnswer(printer(), SHOWS, 'abort'), refused)
})

t.test('without a dialogue it is for whatever the printer shows', async t => {
  checkAnswer(printer({ faults: [], live: false }), {}, 'resume')
  t.pass('as before')
})
