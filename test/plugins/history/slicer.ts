import { connectAsync } from 'mqtt'
import type { Test } from 'tap'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'

/** What a slicer sends by itself, without the service. */
export async function slicer (t: Test, printer: VirtualPrinter): Promise<(command: object) => Promise<void>> {
  const client = await connectAsync(`mqtts://${printer.host}:${printer.ports.mqtt}`, {
    username: 'bblp', password: printer.accessCode, rejectUnauthorized: false
  })
  t.teardown(() => client.endAsync(true))
  return async command => {
    const print = { sequence_id: '20001', ...command }
    await client.publishAsync(`device/${printer.serial}/request`, JSON.stringify({ print }))
  }
}

/** Starts a plate of a file on the card as slicers do. */
export const startOf = (file: string, more: object = {}): object => ({
  command: 'project_file',
  param: 'Metadata/plate_1.gcode',
  url: `ftp://${file}`,
  subtask_name: file.slice(1).replace('.gcode.3mf', ''),
  task_id: '0',
  subtask_id: '0',
  ...more
})
