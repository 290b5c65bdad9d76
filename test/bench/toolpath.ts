import { monitorEventLoopDelay } from 'node:perf_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw, deflateRawSync } from 'node:zlib'
import { MODELS } from '../../core/printer/models.data.js'
import { Outlines } from '../../plugins/toolpath/outline/outlines.js'
import { pinholeCamera } from '../../plugins/toolpath/outline/camera.js'
import { projectOutline } from '../../plugins/toolpath/outline/project-outline.js'
import type { Reading } from '../../plugins/toolpath/reading.js'
import type { PlateSource } from '../../plugins/toolpath/source/plate-source.js'
import { PlateReader } from '../../plugins/toolpath/worker/plate-reader.js'
import { median, type Row } from './row.js'
import { toolpathPlate } from './toolpath-plate.js'

const MIB = 1024 ** 2
const PLATE_BYTES = 100e6
const ROUNDS = 3
const INFLATED_BYTES = 256 * 1024
const NEWLINE = 10
const NS_PER_MS = 1e6
const EVERY_MS = 50
const MOST_RATIO = 2
const MOST_DELAY_MS = 20
const MOST_MEMORY_MIB = 120
const MOST_OUTLINE_RATIO = 1
/** Layers between two outlines that job health asks for. */
const LAYERS_LATER = 5

/** What reading a plate cannot do without: its text, and where its lines end. */
async function countLines (packed: Buffer): Promise<number> {
  let lines = 0
  await pipeline(Readable.from([packed]), createInflateRaw({ chunkSize: INFLATED_BYTES }), async parts => {
    for await (const part of parts as AsyncIterable<Buffer>) {
      for (let at = 0; at < part.length; at++) if (part[at] === NEWLINE) lines++
    }
  })
  return lines
}

async function timed (work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Draws what should lie on the bed near the end of a plate, a few layers later, and as a camera sees it. */
async function outline (reading: Reading, trackPath: string, counted: number): Promise<Row[]> {
  const outlines = new Outlines()
  const bedMm = [350, 320]
  const last = reading.plate.layers.length - 1
  const draw = (layer: number) =>
    outlines.draw({ reading, name: 'plate', trackPath, bedMm, layer, skipped: new Map() })
  try {
    await draw(0) // starts the thread
    const whole = await timed(() => draw(last - LAYERS_LATER))
    const later = await timed(() => draw(last))
    const drawn = await draw(last)
    const camera = pinholeCamera(
      { position: [-60, -90, 300], target: [175, 160, 0], focalPx: 700 }, { width: 1280, height: 720 })
    const projected: number[] = []
    for (let round = 0; round < ROUNDS; round++) projected.push(await timed(async () => projectOutline(drawn, camera)))
    return [
      { name: 'toolpath: outline of 100 MB', ours: whole, baseline: counted, unit: 'ms', bar: { atMost: MOST_OUTLINE_RATIO }, note: `${last - LAYERS_LATER} layers; beside gunzip and a count of newlines` },
      { name: 'toolpath: outline some layers later', ours: later, baseline: counted, unit: 'ms', bar: { atMost: MOST_OUTLINE_RATIO / 10 }, note: `${LAYERS_LATER} layers` },
      { name: 'toolpath: outline as a camera sees it', ours: median(projected), baseline: counted, unit: 'ms', bar: { atMost: MOST_OUTLINE_RATIO }, note: '1280 × 720 px' }
    ]
  } finally {
    await outlines.close()
  }
}

/** Reads a plate of 100 MB in the thread of its own, beside the least that could be done with its bytes. */
export async function toolpath (): Promise<Row[]> {
  const text = toolpathPlate(PLATE_BYTES)
  const size = text.length
  const packed = deflateRawSync(text)
  const source: PlateSource = {
    isDeflated: true,
    size,
    packedSize: packed.length,
    md5: undefined,
    settings: {},
    nozzleByTool: undefined,
    read: async (start, length) => packed.subarray(start, start + length)
  }
  const folder = mkdtempSync(join(tmpdir(), 'prnd-bench-'))
  const reader = new PlateReader()
  const plan = (round: number) => ({
    target: { model: MODELS[0]!, nozzles: [0.4] },
    trackPath: join(folder, `${round}.track`),
    mostTrackBytes: 512 * MIB
  })
  const ours: number[] = []
  const rows: Row[] = []
  const baseline: number[] = []
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const idle = process.memoryUsage().rss
  let most = idle
  const sampler = setInterval(() => { most = Math.max(most, process.memoryUsage().rss) }, EVERY_MS)
  try {
    for (let round = 0; round < ROUNDS; round++) {
      delay.enable()
      let reading: Reading | undefined
      ours.push(await timed(async () => {
        reading = await reader.read(source, plan(round), AbortSignal.timeout(600_000))
      }))
      delay.disable()
      clearInterval(sampler)
      baseline.push(await timed(() => countLines(packed)))
      if (round === ROUNDS - 1) rows.push(...await outline(reading!, plan(round).trackPath, median(baseline)))
    }
  } finally {
    clearInterval(sampler)
    await reader.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    { name: 'toolpath: read 100 MB', ours: median(ours), baseline: median(baseline), unit: 'ms', bar: { atMost: MOST_RATIO }, note: `${Math.round(size / 1e6)} MB, ${Math.round(packed.length / 1e6)} MB packed; beside gunzip and a count of newlines` },
    { name: 'toolpath: delay of the main loop, p99', ours: delay.percentile(99) / NS_PER_MS, unit: 'ms', bar: { atMost: MOST_DELAY_MS } },
    { name: 'toolpath: memory above idle', ours: (most - idle) / MIB, unit: 'MiB', bar: { atMost: MOST_MEMORY_MIB }, note: 'during the first reading' },
    ...rows
  ]
}
