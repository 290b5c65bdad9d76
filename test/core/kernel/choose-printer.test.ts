import t from 'tap'
import { choosePrinter } from '../../../core/kernel/choose-printer.js'
import type { PrinterSession } from '../../../core/index.js'

const sessions = (services: Readonly<Record<string, string>>) => () =>
  Object.entries(services).map(([name, service]) => ({ name, service }) as PrinterSession)
const off = { a: 'DISCONNECTED', b: 'PAUSED', c: 'NO_STATE' }

t.test('a printer is chosen by name, configuration, connection, session', async t => {
  t.same(choosePrinter('x', 'c', sessions(off)), { printer: 'x', source: 'explicit' })
  t.same(choosePrinter('', 'c', sessions(off)), { printer: 'c', source: 'env_var' })
  t.same(choosePrinter(undefined, undefined, sessions({ ...off, c: 'CONNECTED' })),
    { printer: 'c', source: 'first_connected' })
  t.same(choosePrinter(undefined, undefined, sessions(off)), { printer: 'b', source: 'none' }, 'one that is paused')
  t.same(choosePrinter(undefined, undefined, sessions({ a: 'DISCONNECTED', c: 'NO_STATE' })),
    { printer: 'a', source: 'none' }, 'the first')
  t.same(choosePrinter(undefined, undefined, sessions({})), { printer: undefined, source: 'none' })
})
