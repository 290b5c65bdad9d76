import t from 'tap'
import { describeProbe } from '../../../../plugins/management/index.js'

const verdict = async (session: object) => await describeProbe({ name: 'x', live: false, config: { tls: {} }, ...session } as never)

t.test('a printer that never reported may have another serial number, one that did has not', async t => {
  t.match((await verdict({ state: undefined })).lines, [/check the serial number/])
  const [line = ''] = (await verdict({ state: {} })).lines
  t.match(line, /it has reported before/)
  t.notMatch(line, /serial/)
  t.match((await verdict({ state: {}, problem: { message: 'it is off' } })).lines, ['x: it is off'])
})

t.test('a printer that reports but takes no commands is not well', async t => {
  t.match(await verdict({ live: true, state: {}, problem: { code: 'takes_no_commands', message: 'it answers no command' } }),
    { good: false, lines: ['x: it answers no command'] })
})
