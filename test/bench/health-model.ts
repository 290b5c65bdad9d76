import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { addModel } from '../../plugins/health-model/add-model.js'
import { createInferenceClient } from '../../plugins/health-model/runtime/client.js'
import { installedRuntimes, RUNTIMES, type RuntimeName } from '../../plugins/health-model/runtime/runtime-packages.js'
import { storedModels } from '../../plugins/health-model/store.js'
import { createSequence } from '../health/scene/sequence.js'
import { createRandom } from '../health/scene/random.js'
import { networkOf, node, shape, weights } from '../plugins/health-model/onnx-builder.js'
import { median, type Row } from './row.js'

/** Where `.ci/run` and `prnd health runtime install` for a checkout put the runtimes. */
const RUNTIME = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'prnd-onnx')
const RUNS = 5
const MB = 1_048_576
const SIDE = 416
/** Linux counts processor time in these. */
const TICK_MS = 10
const GRID = SIDE / 32
const ANCHORS = 5
/** ms that one picture may take on one core. */
const BARS: Readonly<Record<RuntimeName, number>> = { 'onnxruntime-node': 1_500, 'onnxruntime-web': 4_000 }

/** Convolutions of YOLOv2 for 416 by 416: `[channels, side of the kernel]`, and a number halves the picture. */
const LAYERS: readonly (readonly [number, number] | 2)[] = [
  [32, 3], 2, [64, 3], 2, [128, 3], [64, 1], [128, 3], 2, [256, 3], [128, 1], [256, 3], 2,
  [512, 3], [256, 1], [512, 3], [256, 1], [512, 3], 2,
  [1024, 3], [512, 1], [1024, 3], [512, 1], [1024, 3], [1024, 3], [1024, 3]
]

/** As much computation as Obico's network, with weights that mean nothing. */
function largeNetwork (): Buffer {
  const random = createRandom(24)
  const parts: Buffer[] = []
  let [input, channels] = ['picture', 3]
  const convolution = (name: string, to: number, side: number): void => {
    const spread = Math.sqrt(2 / (channels * side * side))
    // Few numbers, over and over: bells for forty million weights take longer than all that is measured.
    const bells = Float32Array.from({ length: 4_099 }, () => spread * random.bell())
    const count = to * channels * side * side
    const values = Float32Array.from({ length: count }, (_, at) => bells[at % bells.length] as number)
    parts.push(weights(`${name}-weights`, [to, channels, side, side], values),
      node('Conv', [input, `${name}-weights`], name, { pads: Array<number>(4).fill((side - 1) / 2) }))
  }
  LAYERS.forEach((layer, at) => {
    const name = `layer${at}`
    if (layer === 2) {
      parts.push(node('MaxPool', [input], name, { kernel_shape: [2, 2], strides: [2, 2] }))
    } else {
      convolution(`${name}-sum`, ...layer)
      parts.push(node('LeakyRelu', [`${name}-sum`], name))
      channels = layer[0]
    }
    input = name
  })
  for (const [name, size] of [['boxes', 4], ['confs', 1]] as const) {
    convolution(`${name}-sum`, ANCHORS * size, 1)
    parts.push(node('Sigmoid', [`${name}-sum`], `${name}-share`),
      shape(`${name}-shape`, [1, ANCHORS * GRID * GRID, ...(name === 'boxes' ? [1, 4] : [1])]),
      node('Reshape', [`${name}-share`, `${name}-shape`], name))
  }
  const places = ANCHORS * GRID * GRID
  return networkOf({ input: [1, 3, SIDE, SIDE], outputs: { boxes: [1, places, 1, 4], confs: [1, places, 1] }, parts })
}

/** The process of the network: its memory in MB, and the processor time it took so far in ms. Linux only. */
function childUsage (): { readonly mb: number, readonly cpuMs: number } {
  const processes = process.platform === 'linux' ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : []
  const found = processes.flatMap(pid => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (!new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status)) return []
      const times = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')
      return [{
        mb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024,
        cpuMs: (Number(times[11]) + Number(times[12])) * TICK_MS
      }]
    } catch {
      return [] // it has ended meanwhile
    }
  })
  return found.sort((a, b) => b.mb - a.mb)[0] ?? { mb: NaN, cpuMs: NaN }
}

async function greatestDelay (work: () => Promise<unknown>): Promise<number> {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  await work()
  loop.disable()
  return loop.max / 1e6
}

async function rowsFor (runtime: RuntimeName, network: Buffer, picture: Buffer): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'prnd-bench-'))
  const client = createInferenceClient(RUNTIME, runtime)
  try {
    const source = join(folder, 'large.onnx')
    await writeFile(source, network)
    await addModel({ folder, client, source, overrides: {}, signal: AbortSignal.timeout(120_000) })
    const [stored] = await storedModels(folder, message => { throw new Error(message) })
    if (!stored) throw new Error('The network was not kept')
    const { file, model } = stored
    const begun = performance.now()
    await client.infer(file, model, picture)
    const first = performance.now() - begun
    const times: number[] = []
    const usedBefore = childUsage().cpuMs
    const began = performance.now()
    const delay = await greatestDelay(async () => {
      for (let run = 0; run < RUNS; run++) {
        const before = performance.now()
        await client.infer(file, model, picture)
        times.push(performance.now() - before)
      }
    })
    const { mb, cpuMs } = childUsage()
    const idle = await greatestDelay(() => setTimeout(performance.now() - began))
    const size = (network.length / MB).toFixed(0)
    return [
      {
        name: `network, ${runtime}`,
        ours: median(times),
        unit: 'ms',
        bar: { atMost: BARS[runtime] },
        note: `a picture; the first one ${first.toFixed(0)} ms; processor time ${((cpuMs - usedBefore) / RUNS).toFixed(0)} ms`
      },
      {
        name: `delay of the loop, ${runtime}`,
        ours: delay,
        unit: 'ms',
        bar: { atMost: 20 },
        note: `greatest; as long without any: ${idle.toFixed(1)} ms`
      },
      { name: `memory, ${runtime}`, ours: mb, unit: 'MB', note: `network of ${size} MB, in a process of its own` }
    ]
  } finally {
    client.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a network of Obico's size costs, natively and as WebAssembly; a runtime that is not installed is left out. */
export async function healthModel (): Promise<Row[]> {
  const installed = await installedRuntimes(RUNTIME)
  const network = largeNetwork()
  const picture = (await createSequence({ seed: 2001, machine: 'enclosed', fails: true }).frame(6)).jpeg
  const rows: Row[] = []
  for (const { name } of RUNTIMES) {
    if (installed[name] === undefined) console.error(`  ${name} is not installed in ${RUNTIME}`)
    else rows.push(...await rowsFor(name, network, picture))
  }
  return rows
}
