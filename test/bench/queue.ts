import { decide } from '../../plugins/queue/decide/index.js'
import { finder, printerView, queueView, slicedFile, tray, waitingJob } from '../plugins/queue/views.js'
import type { Row } from './row.js'

const PRINTERS = 300
const JOBS = 1_000
const TYPES = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PLA-CF']
const colorOf = (at: number): string => `#${(at * 2_654_435 % 0xFFFFFF).toString(16).toUpperCase().padStart(6, '0')}`

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** One turn of the queue of a large farm: every job against every free printer. */
export async function queue (): Promise<Row[]> {
  const choose = await finder()
  const files = Array.from({ length: 120 }, (_, n) => slicedFile(`f${n}`, { type: at(TYPES, n), color: colorOf(n % 12) }))
  const jobs = Array.from({ length: JOBS }, (_, n) =>
    waitingJob(`j${n}`, { position: n, alternatives: [{ file: `f${n % 120}`, plate: 1 }] }))
  const measure = (clear: (n: number) => boolean) => {
    const printers = Array.from({ length: PRINTERS }, (_, n) => printerView(`p${n}`, {
      plate: clear(n) ? 'clear' : 'used',
      trays: [0, 1, 2, 3].map(slot => tray(slot, at(TYPES, n + slot), colorOf((n * 5 + slot) % 12)))
    }))
    const times: number[] = []
    for (let turn = 0; turn < 20; turn++) {
      const begin = performance.now()
      decide(queueView(printers, jobs, files), choose)
      times.push(performance.now() - begin)
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  }
  const name = `queue: ${JOBS} jobs, ${PRINTERS} printers`
  return [
    { name: `${name}, all clear`, ours: measure(() => true), unit: 'ms', bar: { atMost: 50 } },
    { name: `${name}, a tenth clear`, ours: measure(n => n % 10 === 0), unit: 'ms', bar: { atMost: 50 } }
  ]
}
