// Links in a process of their own. Keeps who was connected when, and what a connection sent that was not the newest.
import { createLinks, type LinkMode, type Place } from './links.js'
import type { Connected, Sent } from './judge.js'

export type Order =
  { readonly order: 'open', readonly id: string, readonly listen: Place, readonly to: Place } |
  { readonly order: 'set', readonly ids: readonly string[], readonly mode: LinkMode } |
  { readonly order: 'record' }

export interface LinkRecord { readonly connected: readonly Connected[], readonly late: readonly Sent[] }

/** What ends a session of TLS, or keeps it alive, is shorter; a command is longer. */
const COMMAND_BYTES = 80

const connected: (Omit<Connected, 'to'> & { to: number, number: number })[] = []
const newest = new Map<string, number>()
const late: Sent[] = []
const printerOf = (link: string) => link.split('>')[1] ?? ''
const nodeOf = (link: string) => link.split('>')[0] ?? ''

const links = createLinks({
  opened (link, number) {
    newest.set(printerOf(link), number)
    connected.push({ printer: printerOf(link), node: nodeOf(link), from: Date.now(), to: Infinity, number })
  },
  closed (link, number) {
    const entry = connected.findLast(one => one.number === number)
    if (entry) entry.to = Date.now()
  },
  sent (link, number, bytes) {
    if (bytes < COMMAND_BYTES || newest.get(printerOf(link)) === number) return
    late.push({ printer: printerOf(link), node: nodeOf(link), at: Date.now(), bytes })
  }
})

process.on('message', async (order: Order) => {
  if (order.order === 'open') process.send?.(await links.open(order.id, order.listen, order.to))
  if (order.order === 'set') {
    for (const id of order.ids) links.set(id, order.mode)
    process.send?.('done')
  }
  if (order.order === 'record') {
    const until = connected.map(one => ({ ...one, to: one.to === Infinity ? Date.now() : one.to }))
    process.send?.({ connected: until, late })
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
