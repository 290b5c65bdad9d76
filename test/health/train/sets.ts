import type { Machine } from '../scene/camera.js'
import type { SequenceOptions } from '../scene/plan.js'

const span = (from: number, count: number, options: Omit<SequenceOptions, 'seed'>): SequenceOptions[] =>
  Array.from({ length: count }, (_, at) => ({ ...options, seed: from + at }))

/** Seeds from here on are learned from too. */
const FURTHER = 1_000_000

/**
 * What is learned from: seeds below 1000, and far above. Those from 430 to 519 and from 700 to 879 are left to judge
 * choices by.
 */
export const tuningSets = (machine: Machine): SequenceOptions[] => {
  const more = machine === 'slinger' ? 200 : 100 // what travels is harder
  const lists = [
    span(0, 130, { machine, fails: false }),
    span(130, 100, { machine, fails: true }),
    ...[0.1, 0.4, 0.7].map((failsAt, at) => span(230 + 20 * at, 16, { machine, fails: true, failsAt, frames: 6 })),
    span(290, 60, { machine, fails: true, begun: true, frames: 5 }),
    span(400, 26, { machine, fails: true, failure: 'detached', frames: 6 }),
    span(520, 80, { machine, fails: false }),
    span(600, 100, { machine, fails: true }),
    ...[0.1, 0.4, 0.7].map((failsAt, at) => span(880 + 16 * at, 16, { machine, fails: true, failsAt, frames: 6 })),
    span(930, 40, { machine, fails: true, begun: true, frames: 5 }),
    span(970, 30, { machine, fails: false, frames: 6 }),
    span(FURTHER, more, { machine, fails: false }),
    span(FURTHER + 500, more, { machine, fails: true })
  ]
  // Interleaved, so that a part of it is a fair sample.
  return lists.flatMap(list => list.map((options, at) => ({ options, at: (at + 0.5) / list.length })))
    .sort((a, b) => a.at - b.at).map(({ options }) => options)
}
