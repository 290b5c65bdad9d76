import t from 'tap'
import { parseMessage } from '../../../../core/printer/mqtt/parse-message.js'

const read = (text: string | Uint8Array) => parseMessage(Buffer.from(text as string))

t.test('payloads: kinds of sections', async t => {
  const kinds = (document: unknown) => {
    const items = read(JSON.stringify(document))
    return typeof items === 'string' ? items : items.map(({ section, kind }) => `${section} ${kind}`)
  }
  t.strictSame(kinds({ print: { command: 'push_status', msg: 0 } }), ['print status'])
  t.strictSame(kinds({ print: { wifi_signal: '-40dBm' } }), ['print status'], 'without a command')
  t.strictSame(kinds({ print: { command: 'pause', result: 'success' } }), ['print reply'])
  t.strictSame(kinds({ print: { command: 'project_prepare', job_id: '1' } }), ['print other'])
  t.strictSame(kinds({ info: { command: 'get_version', module: [], result: 'success' } }), ['info modules'])
  t.strictSame(kinds({ system: { command: 'ledctrl', result: 'success' } }), ['system reply'])
  t.strictSame(kinds({ mc_print: { command: 'push_info', param: 'log' } }), ['mc_print other'])
  t.strictSame(kinds({ event: { event: 'client.connected' } }), ['event other'])
  t.strictSame(kinds({ header: { sign: 'x' }, t_utc: 1, print: { command: 'push_status' } }), ['header other', 'print status'])
  t.strictSame(kinds({ print: 5, info: null, xcam: [] }), [], 'sections that are no objects')
})

t.test('payloads: padding at the end', async t => {
  for (const end of ['\0', '\0\0\0', '\n', ' \0 \0\r\n']) t.equal(read(`{"print":{"msg":1}}${end}`).length, 1, JSON.stringify(end))
})

t.test('payloads that cannot be used say why', async t => {
  t.equal(read(''), 'not JSON')
  t.equal(read('{"print":{"msg"'), 'not JSON')
  t.equal(read(Uint8Array.from([0xFF, 0xFE, 0x00])), 'not JSON')
  for (const text of ['null', '42', '"x"', '[]', 'true']) t.equal(read(text), 'not an object', text)
  t.equal(read(`{"x":"${'x'.repeat(1024 * 1024)}"}`), 'too large')
})

t.test('a payload of padding is no pattern\'s undoing', async t => {
  t.equal(read('\0'.repeat(1024 * 1024 - 1) + 'x'), 'not JSON')
  // By a pattern it takes minutes: the file would not end.
})

t.test('a view into a larger buffer is read alone', async t => {
  const bytes = Buffer.from('garbage{"print":{"msg":1}}garbage')
  t.strictSame(parseMessage(bytes.subarray(7, 26)), [{ kind: 'status', section: 'print', body: { msg: 1 } }])
})
