// Actions for several printers at once.

import { call, forEach, shell } from 'shell'

/** @typedef {{ id: string, icon: string, danger?: boolean, fields?: string[], fits: (printer: any) => boolean,
 *   prepare?: (values: any) => Promise<any>, run: (printer: string, values: any) => Promise<unknown> }} Act
 *   `prepare` is done once for all printers, and gives `run` its values */

/** Sends the file to the service, which sends it to every printer. */
async function storeFile ({ file }) {
  const form = new FormData()
  form.append('myFile', file, file.name)
  const response = await fetch(`${shell.base}api/upload_file_to_host`, { method: 'POST', body: form })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.reason || answer.error || `HTTP ${response.status}`)
  return { src: answer.filename }
}

const sendFile = (printer, { src }) =>
  call('POST', 'upload_file_to_printer', { printer, src, dest: `/${src}`, to_print: true }, { waitMs: 600_000 })

async function preheat (printer, { bed, nozzle }) {
  if (bed !== undefined) await call('PATCH', 'set_bed_target_temp', { printer, temp: bed })
  if (nozzle !== undefined) await call('PATCH', 'set_tool_target_temp', { printer, temp: nozzle })
}

const isThere = ({ condition }) => !['offline', 'stale', 'unwatched'].includes(condition)
const light = state => printer => call('PATCH', 'set_light_state', { printer, state })

/** @type {readonly Act[]} */
export const ACTS = [
  {
    id: 'pause',
    icon: 'pause',
    fits: ({ condition }) => condition === 'printing' || condition === 'preparing',
    run: printer => call('POST', 'pause_printing', { printer })
  },
  { id: 'light-on', icon: 'light', fits: printer => isThere(printer) && printer.has_light, run: light('on') },
  { id: 'light-off', icon: 'light', fits: printer => isThere(printer) && printer.has_light, run: light('off') },
  {
    id: 'preheat',
    icon: 'heat',
    fields: ['bed', 'nozzle'],
    fits: ({ condition }) => ['idle', 'finished', 'cancelled', 'failed'].includes(condition),
    run: preheat
  },
  {
    id: 'tags',
    icon: 'filter',
    fields: ['tags'],
    fits: () => true,
    run: (printer, { tags = [] }) => call('PATCH', 'fleet/tags', { printer, tags })
  },
  { id: 'send', icon: 'send', fields: ['file'], fits: isThere, prepare: storeFile, run: sendFile }
]

/**
 * Runs an action for every printer, a few at a time, and reports the outcome of each.
 * @param {Act} act @param {readonly string[]} names @param {any} values
 * @param {(name: string, problem: string) => void} onEnd the problem is empty on success
 */
export async function runAll (act, names, values, onEnd) {
  try {
    const given = act.prepare ? await act.prepare(values) : values
    await forEach(names, async name => onEnd(name, await act.run(name, given).then(() => '', error => error.message)))
  } catch (error) {
    for (const name of names) onEnd(name, /** @type {Error} */ (error).message)
  }
}
