import type { Row } from '../../../plugins/database/index.js'
import { DAY_MS } from '../../../plugins/history/sums.js'

const RESULTS = ['finished', 'finished', 'finished', 'finished', 'failed', 'cancelled', 'unknown']
const MATERIALS = ['PLA', 'PETG', 'ABS', 'PLA-CF']
const FAULTS = JSON.stringify([{ code: '0300_8004', severity: 'serious', text: 'Filament ran out' }])

/** Rows of one made-up print, the same for the same number: one each `everyMs` from a time on, of several printers. */
export function madeUp (number: number, since: number, everyMs: number, printers = 50): Row[] {
  const id = `print-${number}`
  const result = RESULTS[number % RESULTS.length] ?? ''
  const materials = MATERIALS.slice(number % 4, number % 4 + 1 + number % 2)
  const print: Row = {
    table: 'history_prints',
    values: {
      id,
      serial: `serial-${number % printers}`,
      printer: `printer-${number % printers}`,
      model: 'X1C',
      name: `Bracket ${number} for shelf ${number % 977}`,
      file: `/bracket-${number}.3mf`,
      project_path: '',
      md5: '',
      plate: 1,
      task_id: String(number),
      print_type: 'local',
      started_at: since + number * everyMs,
      start_seen: 1,
      ended_at: since + number * everyMs + DAY_MS / 24,
      end_seen: 1,
      result,
      started_by: 'elsewhere',
      ended_by: '',
      percent: 100,
      layer: 10,
      total_layers: 10,
      planned_s: 3_000,
      prepare_s: 100,
      printing_s: 3_000 + number % 100,
      paused_s: 0,
      unseen_s: 0,
      interruptions: 0,
      faults: result === 'failed' ? FAULTS : '[]',
      materials: `,${materials.join(',')},`
    }
  }
  return [print, ...materials.map((material, at): Row => ({
    table: 'history_filaments',
    values: {
      id: `${id}:${at + 1}`,
      print: id,
      filament: at + 1,
      material,
      color: '#ffffff',
      place: `ams 0 slot ${at}`,
      tag: '',
      grams: 10 + number % 7,
      metres: 3,
      cost: 0.25
    }
  }))]
}
