import type { Machine } from '../scene/camera.js'
import type { SequenceOptions } from '../scene/plan.js'

const span = (from: number, count: number, options: Omit<SequenceOptions, 'seed'>): SequenceOptions[] =>
  Array.from({ length: count }, (_, at) => ({ ...options, seed: from + at }))

/** What is learned from: seeds below 1000. */
export const tuningSets = (machine: Machine): SequenceOptions[] => {
  const lists = [
    span(0, 130, { machine, fails: false }),
    span(130, 100, { machine, fails: true }),
    ...[0.1, 0.4, 0.7].map((failsAt, at) => span(230 + 20 * at, 16, { machine, fails: true, failsAt, frames: 6 })),
    span(290, 60, { machine, fails: true, begun: true, frames: 5 }),
    span(400, 26, { machine, fails: true, failure: 'detached', frames: 6 })
  ]
  // Interleaved, so that a part of it is a fair sample.
  return lists.flatMap(list => list.map((options, at) => ({ options, at: (at + 0.5) / list.length })))
    .sort((a, b) => a.at - b.at).map(({ options }) => options)
}
