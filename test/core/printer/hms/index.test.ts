import t from 'tap'
import { createHmsCatalogue } from '../../../../core/printer/hms/index.js'
import { ACTIONS, RETRY_OR_CONFIRM, WITH_LIVE_VIEW } from '../../../../core/printer/hms/actions.data.js'
import { OWN_TEXTS } from '../../../../core/printer/hms/texts.data.js'
import { errnoReason, readReply } from '../../../../core/printer/mqtt/command.js'

const error = (digits: string) => ({ digits })
const X1C = '00M00A000000001'

t.test('a known number has its text', async t => {
  const { describe } = createHmsCatalogue()
  t.equal(describe(error('0300400C')), 'The job was cancelled.')
  t.match(describe(error('0500050000010007')), /unsigned commands/)
})

t.test('an error that only another module lists has the text of that one', async t => {
  const { describe } = createHmsCatalogue()
  t.equal(describe(error('0C008003')), OWN_TEXTS['03008003'])
  t.equal(describe(error('1200402B')), OWN_TEXTS['0500402B'])
})

t.test('an HMS number never borrows from another module', async t => {
  const { describe, addTexts } = createHmsCatalogue()
  addTexts({ '0300010000010007': 'bed' })
  t.equal(describe(error('0500010000010007')), 'Unknown HMS Error')
})

t.test('an unknown number is told as such', async t => {
  const { describe } = createHmsCatalogue()
  for (const digits of ['FFFFFFFF', '', '03009999', '0300550000020009']) t.equal(describe(error(digits)), 'Unknown HMS Error', digits)
})

t.test('where words are wanted, the structure of an unknown number gives some', async t => {
  const { sentence } = createHmsCatalogue()
  for (const [digits, words] of [
    ['0300400C', 'The job was cancelled.'],
    ['0300060000020009', 'Motion controller (motor A) reports a serious fault, number 9.'],
    ['0300550000010009', 'Motion controller reports a fatal fault, number 9.'],
    ['0702220000030063', 'AMS C (slot 3) reports a fault, number 99.'],
    ['1281400000040010', 'AMS Lite B (filament buffer) has something to say, number 16.'],
    ['0300499F', 'Motion controller stopped the job, number 499F.'],
    ['0C008FFF', 'Camera and lidar AI waits for you to act, number 8FFF.'],
    ['0500CFFF', 'Mainboard has something to say, number CFFF.'],
    ['FF00010000010001', 'Unknown HMS Error'],
    ['', 'Unknown HMS Error']
  ] as const) t.equal(sentence(error(digits)), words, digits)
})

t.test('one text for all units and slots names the one that is meant', async t => {
  const { describe } = createHmsCatalogue()
  for (const [digits, words] of [
    ['0700200000020001', 'AMS A · slot 1 has run out of filament.'],
    ['0702230000020001', 'AMS C · slot 4 has run out of filament.'],
    ['1201210000020001', 'AMS Lite B · slot 2 has run out of filament.'],
    ['1880200000020001', 'AMS HT A · slot 1 has run out of filament.'],
    ['07018011', 'The filament in AMS B has run out. Insert a new spool.'],
    ['1881C06A', 'AMS HT B is reading a spool tag and cannot dry now.'],
    ['07FF8011', 'The external spool has run out. Load more filament.'],
    ['07FF8007', 'Look at the nozzle. If filament comes out, choose Done; if not, push it in a little and choose Retry.'],
    ['12FF8007', 'Look at the nozzle. If filament comes out, choose Done; if not, push it in a little and choose Retry.'],
    ['03000D0000020003', 'The build plate is not seated properly. Take it off, remove what lies under it, and put it back.'],
    ['12FF200000020001', 'The external spool has run out of filament.']
  ] as const) t.equal(describe(error(digits)), words, digits)
  t.equal(describe(error('0700270000020001')), 'Unknown HMS Error', 'there is no slot 8')
})

t.test('a number that the catalogue lists without words', async t => {
  const { describe, addTexts } = createHmsCatalogue()
  addTexts({ '03004999': '' })
  t.equal(describe(error('03004999')), 'No description in the HMS catalogue')
})

t.test('reason numbers of commands have words', async t => {
  const read = (command: string, errno: number, reason = '') =>
    readReply('print', { command, errno, result: 'fail', reason } as never).reason
  t.match(read('set_ctt', -2), /does not stand such a warm chamber/)
  t.match(read('set_ctt', -4), /not heated below 40/)
  t.match(read('ams_change_filament', -2), /chamber is too hot/)
  t.match(read('ams_change_filament', -4), /AMS is too hot/)
  t.match(read('ams_change_filament', -9, 'fail'), /drying/)
  t.equal(read('set_ctt', -77, 'own words'), 'own words')
  t.equal(read('pause', -2), '')
  t.equal(errnoReason('toString', 0), undefined)
})

t.test('a refused command without a number has its own reason', async t => {
  const { describe, sentence } = createHmsCatalogue()
  const command = (reason: string) => ({ name: 'pause', amsId: -1, at: 0, reason })
  for (const tell of [describe, sentence]) {
    t.equal(tell({ digits: '', command: command('not now') }), 'not now')
    t.equal(tell({ digits: '', command: command('') }), "The printer refused 'pause' and gave no reason")
  }
  t.equal(describe({ digits: 'FFFF0001', command: command('not now') }), 'Unknown HMS Error')
  t.equal(sentence({ digits: 'FFFF0001', command: command('not now') }), 'not now', 'better than nothing')
  t.equal(sentence({ digits: '0500C999', command: command('') }), 'Mainboard has something to say, number C999.')
})

t.test('a refusal in words', async t => {
  const { explain } = createHmsCatalogue()
  t.equal(explain(0, ''), 'it gave no reason')
  t.equal(explain(0, 'busy'), 'busy')
  t.equal(explain(0x0500_4004, 'x'), 'The printer is busy and cannot start another job. (HMS_0500-4004)')
  t.equal(explain(0xFFFF_0001, 'own words'), 'own words (HMS_FFFF-0001)')
  t.equal(explain(0xFFFF_0001, ''), 'Unknown HMS Error (HMS_FFFF-0001)')
  t.equal(explain(0x0500_C999, ''), 'Mainboard has something to say, number C999. (HMS_0500-C999)')
})

t.test('added texts win over the built-in ones, and belong to one kernel', async t => {
  const first = createHmsCatalogue()
  first.addTexts({ '0300400C': 'Other words', ABCDEF01: 'New' })
  t.equal(first.describe(error('0300400C')), 'Other words')
  t.equal(first.describe(error('ABCDEF01')), 'New')
  t.equal(createHmsCatalogue().describe(error('0300400C')), 'The job was cancelled.')
})

t.test('buttons differ by model', async t => {
  const { actions, addActions } = createHmsCatalogue()
  addActions('00M', { '03001234': [2, 5, 99_999] })
  t.same(actions('03001234', X1C).map(({ name }) => name), ['RESUME_PRINTING', 'STOP_PRINTING'], 'a button nobody knows is left out')
  t.same(actions('03001234', '01P00A000000001'), [])
})

t.test('some errors always offer retry and confirm, some the camera', async t => {
  const { actions, addActions } = createHmsCatalogue()
  addActions('00M', { '07FF8012': [2], '03008003': [2] })
  t.same(actions('07FF8012', X1C).map(({ id }) => id), [10_002, 10_004])
  t.same(actions('03008003', X1C).map(({ id }) => id), [2, 13])
  t.same(actions('03008002', X1C).map(({ id }) => id), [13])
})

t.test('the address is that of the number, or the page of all', async t => {
  const { url } = createHmsCatalogue()
  t.equal(url({ type: 'device_hms', digits: '0500050000010007' }), 'https://e.bambulab.com/?e=0500050000010007')
  t.equal(url({ type: 'device_error', digits: '0300400C' } as never), 'https://wiki.bambulab.com/en/hms/error-code')
})

t.test('the tables are whole', async t => {
  t.equal(new Set(ACTIONS.map(({ id }) => id)).size, ACTIONS.length)
  for (const { name, label } of ACTIONS) t.ok(name !== '' && label !== '')
  for (const digits of [...Object.keys(OWN_TEXTS), ...RETRY_OR_CONFIRM, ...WITH_LIVE_VIEW]) t.match(digits, /^([0-9A-F]{8}|[0-9A-F]{16})$/)
  const texts = Object.values(OWN_TEXTS)
  t.ok(texts.length >= 150, `${texts.length} texts`)
  t.equal(new Set(texts).size, texts.length, 'none stands twice')
  for (const [digits, text] of Object.entries(OWN_TEXTS)) {
    t.match(text, /^[A-Z{].*[.?]$/, digits)
    t.ok(!text.includes('{') || digits.startsWith('0700'), digits)
    t.ok(!text.includes('{slot}') || digits[5] === '0', digits)
  }
})
