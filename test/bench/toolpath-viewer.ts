import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { MODELS } from '../../core/printer/models.data.js'
import type { Reading } from '../../plugins/toolpath/reading.js'
import { TRACK_HEADER } from '../../plugins/toolpath/track/track-encoder.js'
import { PlateReader } from '../../plugins/toolpath/worker/plate-reader.js'
import { findProgram } from '../helpers/programs.js'
import type { Row } from './row.js'
import { toolpathPlate } from './toolpath-plate.js'

const PLATE_BYTES = 100e6
const MIB = 1024 ** 2
const PAGE = join(import.meta.dirname, '..', '..', 'plugins', 'toolpath', 'page')
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' }
const MOST_PICTURE_MS = 3_000
const LEAST_FPS = 20

/** A page with the viewer's picture alone: `arrived` and `shown` are set as the plate arrives and is shown, ms. */
const DOCUMENT = `<!doctype html><canvas style="width:1000px;height:700px"></canvas><script type="module">
import { createScene } from './scene.js'
import { loadTrack, rangesOf } from './track-loader.js'
import { paletteOf } from './colors.js'
const { layers, lines } = await (await fetch('layers.json')).json()
let frames = []
const scene = createScene(document.querySelector('canvas'), ({ isFull }) => {
  const now = performance.now()
  frames.push(now)
  if (isFull && window.arrived !== undefined) window.full ??= now - begun
  if (window.arrived !== undefined) window.shown ??= now - begun
  if (scene.parts.length > 0) window.first ??= now - begun
})
scene.setBed([250, 250])
const display = {
  first: 1, last: layers.length, travel: false, mode: 0, least: 0, most: 1, palette: paletteOf('feature', {}),
  colors: { bed: [0.1, 0.12, 0.15], bedLines: [0.3, 0.35, 0.4], glow: [1, 0.8, 0.3] }
}
scene.show(display)
scene.fit({ min: [30, 30, 0], max: [230, 190, 140] })
const begun = performance.now()
loadTrack('track?', rangesOf(layers, lines), {
  onPart: part => scene.add(part),
  onDone: () => { window.arrived = performance.now() - begun; scene.show(display) },
  onProblem: problem => { window.problem = problem }
})
window.slide = async steps => {
  frames = []
  for (let step = 0; step < steps; step++) {
    scene.show({ ...display, last: 1 + Math.round((layers.length - 1) * step / steps) })
    await new Promise(resolve => requestAnimationFrame(resolve))
  }
  return 1000 * (frames.length - 1) / (frames.at(-1) - frames[0])
}
</script>`

async function readPlate (folder: string): Promise<Reading> {
  const text = toolpathPlate(PLATE_BYTES)
  const reader = new PlateReader()
  try {
    return await reader.read({
      isDeflated: false,
      size: text.length,
      packedSize: text.length,
      md5: undefined,
      settings: {},
      nozzleByTool: undefined,
      read: async (start, length) => text.subarray(start, start + length)
    }, {
      target: { model: MODELS[0]!, nozzles: [0.4] }, trackPath: join(folder, 'track'), mostTrackBytes: 512 * MIB
    }, AbortSignal.timeout(600_000))
  } finally {
    await reader.close()
  }
}

/** Serves the page's scripts and the track of a plate, as the service does. */
function serve (folder: string, { plate, track }: Reading) {
  const bytes = readFileSync(join(folder, 'track'))
  const layers = plate.layers.map(({ z, line }, layer) => ({ layer, z_mm: z, line })).slice(1)
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/layers.json') return response.end(JSON.stringify({ layers, lines: plate.lines }))
    if (pathname === '/') return response.setHeader('content-type', 'text/html').end(DOCUMENT)
    if (pathname === '/track') {
      const [first = 0, last = 0] = (searchParams.get('layer') ?? '').split('-').map(Number)
      response.write(TRACK_HEADER)
      return response.end(bytes.subarray(track.starts[first], track.starts[last + 1] ?? bytes.length))
    }
    if (pathname === '/favicon.ico') return response.end()
    response.setHeader('content-type', TYPES[extname(pathname)] ?? 'text/plain').end(readFileSync(join(PAGE, pathname)))
  })
}

/** Shows a plate of 100 MB in a browser that draws in software. */
export async function toolpathViewer (): Promise<Row[]> {
  const program = findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome')
  if (program === undefined) return []
  const folder = mkdtempSync(join(tmpdir(), 'prnd-bench-'))
  const server = serve(folder, await readPlate(folder))
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: program, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1_020, height: 720 } })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction('window.shown !== undefined || window.problem', undefined, { timeout: 120_000 })
    const { first, arrived, shown } = await page.evaluate<{ first: number, arrived: number, shown: number }>(
      '({ first: window.first, arrived: window.arrived, shown: window.shown })')
    await page.waitForFunction('window.full !== undefined', undefined, { timeout: 120_000 })
    const fps = await page.evaluate<number>('window.slide(120)')
    return [
      { name: 'toolpath viewer: first picture', ours: first, unit: 'ms', bar: { atMost: MOST_PICTURE_MS }, note: 'of the lowest layers, from the first request on' },
      { name: 'toolpath viewer: picture after all layers', ours: shown - arrived, unit: 'ms', bar: { atMost: MOST_PICTURE_MS }, note: `they arrived after ${Math.round(arrived)} ms` },
      { name: 'toolpath viewer: slider', ours: fps, unit: 'frames/s', bar: { atLeast: LEAST_FPS }, note: '100 MB, drawn in software' }
    ]
  } finally {
    await browser.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
