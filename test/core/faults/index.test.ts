import t from 'tap'
import { createFaultTexts } from '../../../core/faults/index.js'
import { ACTIONS, RETRY_OR_CONFIRM, WITH_LIVE_VIEW } from '../../../core/faults/actions.data.js'
import { OWN_TEXTS } from '../../../core/faults/texts.data.js'

const error = (digits: string) => ({ digits })
const X1C = '00M00A000000001'

t.test('a known number has its text', async t => {
  const { describe } = createFaultTexts()
  t.equal(describe(error('0300400C')), 'The job was cancelled.')
  t.match(describe(error('0500050000010007')), /unsigned commands/)
})

t.test('an error that only another module lists has the text of that one', async t => {
  const { describe } = createFaultTexts()
  t.equal(describe(error('0C008003')), OWN_TEXTS['03008003'])
  t.equal(describe(error('1200400E')), OWN_TEXTS['0500400E'])
})

t.test('an HMS number never borrows from another module', async t => {
  const { describe, addTexts } = createFaultTexts()
  addTexts({ '0300010000010007': 'bed' })
  t.equal(describe(error('0500010000010007')), 'Unknown HMS Error')
})

t.test('an unknown number is told as such', async t => {
  const { describe } = createFaultTexts()
  t.equal(describe(error('FFFFFFFF')), 'Unknown HMS Error')
  t.equal(describe(error('')), 'Unknown HMS Error')
})

t.test('a refused command without a number has its own reason', async t => {
  const { describe } = createFaultTexts()
  const command = { command: 'pause', reason: 'not now' } as never
  t.equal(describe({ digits: '', command }), 'not now')
})

t.test('a refusal in words', async t => {
  const { explain } = createFaultTexts()
  t.equal(explain(0, ''), 'it gave no reason')
  t.equal(explain(0, 'busy'), 'busy')
  t.equal(explain(0x0500_4004, 'x'), 'The printer is busy and cannot start another job. (HMS_0500-4004)')
  t.equal(explain(0xFFFF_0001, 'own words'), 'own words (HMS_FFFF-0001)')
  t.equal(explain(0xFFFF_0001, ''), 'Unknown HMS Error (HMS_FFFF-0001)')
})

t.test('added texts win over the built-in ones, and belong to one kernel', async t => {
  const first = createFaultTexts()
  first.addTexts({ '0300400C': 'Other words', ABCDEF01: 'New' })
  t.equal(first.describe(error('0300400C')), 'Other words')
  t.equal(first.describe(error('ABCDEF01')), 'New')
  t.equal(createFaultTexts().describe(error('0300400C')), 'The job was cancelled.')
})

t.test('buttons differ by model', async t => {
  const { actions, addActions } = createFaultTexts()
  addActions('00M', { '03001234': [2, 5, 99_999] })
  t.same(actions('03001234', X1C).map(({ name }) => name), ['RESUME_PRINTING', 'STOP_PRINTING'], 'a button nobody knows is left out')
  t.same(actions('03001234', '01P00A000000001'), [])
})

t.test('some errors always offer retry and confirm, some the camera', async t => {
  const { actions, addActions } = createFaultTexts()
  addActions('00M', { '07FF8012': [2], '03008003': [2] })
  t.same(actions('07FF8012', X1C).map(({ id }) => id), [10_002, 10_004])
  t.same(actions('03008003', X1C).map(({ id }) => id), [2, 13])
  t.same(actions('03008002', X1C).map(({ id }) => id), [13])
})

t.test('the address is that of the number, or the page of all', async t => {
  const { url } = createFaultTexts()
  t.equal(url({ type: 'device_hms', digits: '0500050000010007' }), 'https://e.bambulab.com/?e=0500050000010007')
  t.equal(url({ type: 'device_error', digits: '0300400C' } as never), 'https://wiki.bambulab.com/en/hms/error-code')
})

t.test('the tables are whole', async t => {
  t.equal(new Set(ACTIONS.map(({ id }) => id)).size, ACTIONS.length)
  for (const { name, label } of ACTIONS) t.ok(name !== '' && label !== '')
  for (const digits of [...Object.keys(OWN_TEXTS), ...RETRY_OR_CONFIRM, ...WITH_LIVE_VIEW]) t.match(digits, /^([0-9A-F]{8}|[0-9A-F]{16})$/)
  for (const text of Object.values(OWN_TEXTS)) t.match(text, /\.$/)
})
