import type { Kernel } from '../../core/index.js'

/**
 * Ends the session of a printer, if it has one. Claimed, so that whoever is at work with it, such as the queue that
 * warms it, is not cut off before it is safe.
 * @throws PRN_ERR_PRINTER_CLAIMED
 */
export async function endSession ({ printers }: Pick<Kernel, 'printers'>, name: string): Promise<void> {
  const session = printers.get(name)
  if (session === undefined) return await printers.disconnect(name)
  await session.exclusively('ending its session', () => printers.disconnect(name))
}
