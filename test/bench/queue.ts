import { decide } from '../../plugins/queue/decide/index.js'
import { finder, printerView, queueView, slicedFile, tray, waitingJob } from '../plugins/queue/views.js'
import type { Row } from './row.js'

const PRINTERS = 300
const JOBS = 1_000
const TYPES = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PLA-CF']
const colorOf = (at: number): string => `#${(at * 2_654_435 % 0xFFFFFF).toString(16).toUpperCase().padStart(6, '0')}`

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** Of this process: what others do on the machine does not count. */
function processorMs (work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** One turn of the queue of a large farm: every job against every free printer. */
export async function queue (): Promise<Row[]> {
  const choose = await finder()
  const files = Array.from({ length: 120 }, (_, n) => slicedFile(`f${n}`, { type: at(TYPES, n), color: colorOf(n % 12) }))
  const jobs = Array.from({ length: JOBS }, (_, n) =>
    waitingJob(`j${n}`, { position: n, alternatives: [{ file: `f${n % 120}`, plate: 1 }] }))
  type Clear = (n: number) => boolean
  const printersOf = (clear: Clear) => Array.from({ length: PRINTERS }, (_, n) => printerView(`p${n}`, {
    plate: clear(n) ? 'clear' : 'used',
    trays: [0, 1, 2, 3].map(slot => tray(slot, at(TYPES, n + slot), colorOf((n * 5 + slot) % 12)))
  }))
  /** All printers were looked at in a turn before. */
  function later (clear: Clear): number {
    const printers = printersOf(clear)
    const turn = () => { decide(queueView(printers, jobs, files), choose) }
    return median(Array.from({ length: 20 }, () => processorMs(turn)))
  }
  /** As after a start of the service: nothing is remembered of printers, plates and spools. */
  async function first (clear: Clear): Promise<number> {
    const times: number[] = []
    for (let round = 0; round < 9; round++) {
      const chooseAnew = await finder()
      const anew = files.map(file => ({ ...file, plates: structuredClone(file.plates) }))
      const view = queueView(printersOf(clear), jobs, anew)
      times.push(processorMs(() => { decide(view, chooseAnew) }))
    }
    return median(times)
  }
  const all: Clear = () => true
  const tenth: Clear = n => n % 10 === 0
  const name = `queue: ${JOBS} jobs, ${PRINTERS} printers`
  const row = (what: string, ours: number): Row =>
    ({ name: `${name}, ${what}`, ours, unit: 'ms', bar: { atMost: 250 }, note: 'processor time' })
  return [
    row('all clear, first turn', await first(all)),
    row('all clear', later(all)),
    row('a tenth clear, first turn', await first(tenth)),
    row('a tenth clear', later(tenth))
  ]
}
