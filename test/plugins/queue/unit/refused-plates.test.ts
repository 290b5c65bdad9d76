import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import { createRefusedPlates } from '../../../../plugins/queue/refused-plates.js'

t.test('a refused plate is reported once for each job, printer and reason', t => {
  const raised: string[] = []
  const refused = createRefusedPlates((printer, { type, payload }) => { raised.push(`${printer} ${type} ${payload.job} ${payload.reason}`) })
  const printer = (name: string) => ({ name }) as PrinterSession
  const job = (id: string) => ({ id, name: 'cube' })
  refused(printer('a'), job('1'), 'too high')
  refused(printer('a'), job('1'), 'too high')
  refused(printer('b'), job('1'), 'too high')
  refused(printer('a'), job('2'), 'too high')
  refused(printer('a'), job('1'), 'damaged')
  t.same(raised, [
    'a queue_blocked 1 too high', 'b queue_blocked 1 too high', 'a queue_blocked 2 too high', 'a queue_blocked 1 damaged'
  ])
  t.end()
})
