// node --import=tsx test/health/shake.ts [--seed N] [--prints N] [--shake PIXELS] [--machine NAME] [--width N]
//
// Good prints seen by a camera that shakes, of which nothing else changes or everything: says how they are judged.
import { parseArgs } from 'node:util'
import { share } from './figures.js'
import { runsOf } from './evaluate.js'
import type { Machine } from './scene/camera.js'

const FRAMES = 11

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    prints: { type: 'string', default: '20' },
    shake: { type: 'string', multiple: true, default: ['0', '0.5', '1'] },
    machine: { type: 'string', multiple: true, default: ['enclosed', 'slinger'] },
    width: { type: 'string', multiple: true, default: ['1280', '1920'] },
    only: { type: 'string', default: '' }
  }
})

const percent = (of: number) => `${(100 * of).toFixed(1)} %`

for (const machine of values.machine as Machine[]) {
  for (const width of values.width.map(Number)) {
    for (const still of [true, false]) {
      for (const grained of [true, false]) {
        for (const knowsPlate of [true, false]) {
          for (const shake of values.shake.map(Number)) {
            const size = { width, height: width * 9 / 16 }
            const what = `${machine} ${width} ${still ? 'still' : 'printing'} ${grained ? 'grained' : 'plain'} ${knowsPlate ? 'project' : 'unknown'} ±${shake}`
            if (!what.includes(values.only)) continue
            const options = { machine, fails: false, frames: FRAMES, still, grained, shake, ...size }
            const runs = (await runsOf(options, Number(values.seed), Number(values.prints), ['improved'], knowsPlate)).get('improved') ?? []
            const first = runs.map(({ verdicts }) => verdicts[0])
            const rest = runs.flatMap(({ verdicts }) => verdicts.slice(1))
            console.log(`${what}: first ${percent(share(first, one => one !== 'clean'))}, ` +
              `not clean ${percent(share(rest, one => one !== 'clean'))}, critical ${percent(share(rest, one => one === 'critical'))}, ` +
              `quiet ${percent(share(runs, ({ stable }) => stable.every(one => one === undefined || one === 'clean')))}`)
          }
        }
      }
    }
  }
}
