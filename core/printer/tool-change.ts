import { defineError } from '../errors.js'
import type { PrinterSession } from './types.js'

export const ToolChanging = defineError<[printer: string]>(
  'PRN_ERR_TOOL_CHANGING', "'%s': active tool is changing; try again in a moment", 409)

/** How long a printer may take to report the requested tool. */
const CHANGE_MS = 10_000

const changing = new WeakSet<PrinterSession>()

/**
 * Changes the active extruder, one change at a time for each printer: until the printer reports the new tool, a second
 * caller would only repeat the first one's command and be told of a change that never happened.
 * @throws PRN_ERR_TOOL_CHANGING while another change is in progress, and those of `send`
 */
export async function changeTool<T> (session: PrinterSession, wanted: number, send: () => Promise<T>,
  withinMs = CHANGE_MS): Promise<T> {
  if (changing.has(session)) throw new ToolChanging(session.name)
  changing.add(session)
  try {
    const outcome = await send()
    void session.until(({ activeTray }) => activeTray.tool === wanted, withinMs).then(() => changing.delete(session))
    return outcome
  } catch (error) {
    changing.delete(session)
    throw error
  }
}
