import t from 'tap'
import { createPrinterList } from '../../../core/kernel/printer-list.js'
import { printerOf } from './fake-session.js'

const holder = { name: 'hall/node' } as never
const adopted = (comesBefore: (other: string) => boolean) => ({ holder, make: undefined, comesBefore })

t.test('printers of other services have the same order, whichever was heard of first', async t => {
  const before = (name: string) => adopted(other => other !== 'own' && name < other)
  for (const names of [['a', 'b', 'c'], ['c', 'b', 'a'], ['b', 'c', 'a']]) {
    const list = createPrinterList([printerOf('own')])
    for (const name of names) list.adopt(printerOf(name), before(name))
    t.same(list.names, ['own', 'a', 'b', 'c'])
  }
})

t.test('what replaces a printer takes its place', async t => {
  const list = createPrinterList([printerOf('a'), printerOf('b')])
  list.adopt(printerOf('a', 'S-2'), adopted(() => false))
  t.same([list.names, list.config('a')?.serial, list.adopted('a')?.holder], [['a', 'b'], 'S-2', holder])
  list.put(printerOf('a', 'S-3'))
  t.same([list.names, list.config('a')?.serial, list.adopted('a')], [['a', 'b'], 'S-3', undefined])
  t.same([list.remove('a'), list.remove('a'), list.names], [true, false, ['b']])
})

t.test('a name that differs only in its capitals is taken', async t => {
  const list = createPrinterList([printerOf('Bench')])
  t.throws(() => list.checkName('bench'), { code: 'PRN_ERR_BAD_INPUT', message: /already configured as 'Bench'/ })
  t.doesNotThrow(() => list.checkName('Bench'), 'its own')
  t.throws(() => list.checkName(''), { code: 'PRN_ERR_BAD_INPUT' })
})
