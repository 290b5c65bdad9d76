import type { Db } from '../../../plugins/history/tables.js'
import type { Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'

/** On a busy machine. */
const WITHIN_MS = 60_000

/**
 * Services that share a database agree who of them records a printer, a moment after they know it: how a print began
 * that was there before is not seen. Waits for a second round, which begins when all that the first brought is done.
 */
export async function agreed ({ kernel }: Pick<Booted, 'kernel'>): Promise<void> {
  const { services: { database }, printers } = kernel
  if (database.status.kind !== 'postgres') return
  const serials = printers.names.map(name => printers.config(name)?.serial ?? '')
  const read = () => database.query(async (db: Db) =>
    new Map((await db.selectFrom('history_writers').select(['id', 'until']).execute()).map(({ id, until }) => [id, until])))
  let first = await read()
  await eventually(async () => {
    first = await read()
    return serials.every(serial => first.has(serial))
  }, WITHIN_MS)
  await eventually(async () => {
    const now = await read()
    return serials.every(serial => (now.get(serial) ?? 0) > (first.get(serial) ?? Infinity))
  }, WITHIN_MS)
}
