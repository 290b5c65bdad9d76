import t from 'tap'
import { PublishedPrinters, type PublishedPrinter } from '../../../../plugins/fleet/hub/published-printers.js'
import type { PrinterValue } from '../../../../plugins/fleet/types.js'

const published = (epoch: number): PublishedPrinter => ({
  key: 'hall.a.p1s',
  site: 'hall',
  place: 'hall/a',
  publicKey: 'key',
  value: { name: 'P1S', epoch } as PrinterValue,
  session: undefined,
  display: undefined
})

t.test('a printer that was replaced cannot remove its successor', t => {
  const printers = new PublishedPrinters()
  const left = published(1)
  const taken = published(2)
  printers.set(left)
  printers.set(taken)
  t.equal(printers.delete(left), undefined)
  t.equal(printers.get(taken.key), taken)
  t.strictSame(printers.named('p1s'), [taken])
  t.equal(printers.delete(taken), 'p1s')
  t.strictSame([printers.all(), printers.names()], [[], []])
  t.end()
})
