import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from '../../scene/camera.js'
import { createSequence } from '../../scene/sequence.js'

const MACHINES = ['enclosed', 'slinger'] as const
const FRAMES = 8

interface Print { readonly set: 'train' | 'test', readonly fails: boolean, readonly seed: number, readonly frames: readonly number[] }

/** As many prints of a machine; seeds between 1000 and 1,000,000 are for figures, the others for learning. */
function printsOf (share: number): Print[] {
  const some = <Item>(count: number, create: (at: number) => Item) =>
    Array.from({ length: Math.ceil(share * count) }, (_, at) => create(at))
  return [
    ...some(350, at => ({ set: 'train' as const, fails: false, seed: 1_200_000 + at, frames: [at % 4, 4 + at % 4] })),
    ...some(120, at => ({ set: 'train' as const, fails: true, seed: 1_210_000 + at, frames: [at % 4] })),
    ...some(60, at => ({ set: 'test' as const, fails: false, seed: 510_000 + at, frames: [0, 1, 2, 3, 4, 5] }))
  ]
}

async function draw (folder: string, machine: Machine, { set, fails, seed, frames }: Print): Promise<object[]> {
  const sequence = createSequence({ seed, machine, fails, frames: FRAMES, ...(fails && { begun: true }) })
  return await Promise.all(frames.map(async index => {
    const file = `${set}-${machine}-${fails ? 'fail' : 'ok'}-${seed}-${index}.jpg`
    await writeFile(join(folder, file), (await sequence.frame(index)).jpeg)
    return { file, set, machine, fails, seed, index, strands: fails ? sequence.truth(index).strands : [] }
  }))
}

/** Draws generated chambers into a folder, and lists them in its backgrounds.json. */
export async function drawBackgrounds (folder: string, share: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const drawn: object[] = []
  for (const machine of MACHINES) {
    for (const print of printsOf(share)) drawn.push(...await draw(folder, machine, print))
  }
  await writeFile(join(folder, 'backgrounds.json'), JSON.stringify(drawn))
  console.log(`${drawn.length} pictures of chambers`)
}
