import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { UNKNOWN_MODEL, modelByName } from '../../../core/printer/models.js'
import { extrudedUntil, type Layer } from '../../../plugins/toolpath/layers.js'
import { declaredOf } from '../../../plugins/toolpath/read/declared.js'
import { Scanner } from '../../../plugins/toolpath/read/scanner.js'
import { Settings } from '../../../plugins/toolpath/read/settings.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { PARTS, type PartName } from './files/parts.js'
import { readText } from './files/read-text.js'

const run = promisify(execFile)
const X1C = modelByName('X1C') ?? UNKNOWN_MODEL
const TIMEOUT_MS = 60_000

const BED = '0x0,256x0,256x256,0x256'
const COMMON = ['--bed-shape', BED, '--filament-diameter', '1.75', '--filament-density', '1.24']
/** Each with what a person might set, in the words of PrusaSlicer. */
const PRUSA: readonly (readonly [name: string, part: PartName, options: readonly string[]])[] = [
  ['as it comes', 'box', []],
  ['fast, with progress', 'box', ['--gcode-flavor', 'marlin', '--remaining-times', '--perimeter-speed', '200',
    '--infill-speed', '250', '--travel-speed', '300', '--default-acceleration', '1500']],
  ['a cone in thin layers', 'cone', ['--layer-height', '0.1', '--nozzle-diameter', '0.4']],
  ['a vase', 'cone', ['--spiral-vase', '--perimeters', '1', '--top-solid-layers', '0', '--fill-density', '0']],
  ['supports and a brim', 'funnel', ['--support-material', '--brim-width', '5']],
  ['a wide nozzle', 'bar', ['--nozzle-diameter', '0.8', '--layer-height', '0.4', '--first-layer-height', '0.4']],
  ['a narrow nozzle', 'bar', ['--nozzle-diameter', '0.2', '--layer-height', '0.1', '--first-layer-height', '0.12']],
  ['relative extrusion', 'box', ['--use-relative-e-distances', '--layer-gcode', 'G92 E0']],
  ['full and with skirts', 'box', ['--fill-density', '100%', '--fill-pattern', 'rectilinear', '--skirts', '4']],
  ['retraction by a lift', 'cone', ['--retract-lift', '0.6', '--wipe', '--retract-length', '0.8']]
]
const SLIC3R: readonly (readonly [name: string, part: PartName, options: readonly string[]])[] = [
  ['as it comes', 'box', []],
  ['a cone', 'cone', ['--layer-height', '0.2', '--nozzle-diameter', '0.4']],
  ['supports', 'funnel', ['--support-material']],
  ['relative extrusion', 'bar', ['--use-relative-e-distances']],
  ['a vase', 'cone', ['--spiral-vase', '--top-solid-layers', '0', '--fill-density', '0']]
]

/** Settings of a whole file, as they are known once it was read. */
function settingsOf (text: string) {
  const settings = new Settings()
  const scanner = new Scanner({
    command () {},
    tooLong () {},
    unreadable () {},
    unknown () {},
    comment: (bytes, start, end) => settings.comment(bytes, start, end)
  })
  scanner.write(Buffer.from(text))
  scanner.end()
  return settings
}

async function slice (program: string, folder: string, part: PartName, options: readonly string[]): Promise<string> {
  const stl = join(folder, `${part}.stl`)
  const out = join(folder, 'out.gcode')
  await writeFile(stl, PARTS[part])
  await run(program, [...options, '--output', out, stl], { timeout: TIMEOUT_MS, env: { ...process.env, HOME: folder } })
  return readFile(out, 'utf8')
}

/** mm of filament. */
const lengthOf = (layers: readonly Layer[]): number =>
  [...extrudedUntil(layers).values()].reduce((sum, { part, prime, flush }) => sum + part + prime + flush, 0)

const prusa = findProgram('prusa-slicer')
const slic3r = findProgram('slic3r')
const worth = (findings: readonly { readonly code: string, readonly weight: string, readonly message: string }[]) =>
  findings.filter(({ weight }) => weight !== 'note').map(({ code, message }) => `${code}: ${message}`)

t.test('files of PrusaSlicer', { skip: prusa === undefined && 'no prusa-slicer' }, async t => {
  const folder = testFolder(t)
  const differences: number[] = []
  for (const [name, part, options] of PRUSA) {
    const text = await slice(prusa!, folder, part, [...COMMON, '--center', '128,128', ...options, '--export-gcode'])
    const settings = settingsOf(text)
    const declared = declaredOf(key => settings.get(key))
    const { findings, seconds, plate } = readText(text, { model: X1C }, { others: key => settings.get(key) })
    t.same(worth(findings), [], `${name}: nothing wrong`)
    const stated = declared.seconds ?? 0
    t.ok(stated > 60, `${name} states its time`)
    differences.push(Math.abs(seconds - stated) / stated)
    t.ok(differences.at(-1)! < 0.12, `${name}: ${Math.round(seconds)} s, and ${stated} s by the slicer`)
    const length = lengthOf(plate.layers)
    const statedLength = Number(settings.get('filament used [mm]'))
    t.ok(Math.abs(length - statedLength) < statedLength * 0.01 + 4, `${name}: ${length} mm, and ${statedLength} by the slicer`)
  }
  const median = differences.toSorted((a, b) => a - b)[Math.floor(differences.length / 2)]!
  t.comment(`clock: ${differences.map(part => `${(part * 100).toFixed(1)} %`).join(', ')}; median ${(median * 100).toFixed(1)} %`)
  t.ok(median < 0.05, `median ${median}`)
})

t.test('files of Slic3r', { skip: slic3r === undefined && 'no slic3r' }, async t => {
  const folder = testFolder(t)
  for (const [name, part, options] of SLIC3R) {
    const text = await slice(slic3r!, folder, part, [...COMMON, '--print-center', '128,128', ...options])
    const settings = settingsOf(text)
    const { findings, plate } = readText(text, { model: X1C }, { others: key => settings.get(key) })
    t.same(worth(findings), [], `${name}: nothing wrong`)
    const length = lengthOf(plate.layers)
    const stated = Number(/; filament used = ([\d.]+)mm/.exec(text)?.[1])
    t.ok(Math.abs(length - stated) < stated * 0.01 + 4, `${name}: ${length} mm, and ${stated} by the slicer`)
  }
})
