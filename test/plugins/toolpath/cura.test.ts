import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { UNKNOWN_MODEL, modelByName } from '../../../core/printer/models.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { PARTS, type PartName } from './files/parts.js'
import { readText } from './files/read-text.js'

const run = promisify(execFile)
const X1C = modelByName('X1C') ?? UNKNOWN_MODEL
const TIMEOUT_MS = 60_000
/** Its settings come with the application, of which the engine needs nothing else. */
const RESOURCES = ['/usr/share/cura/resources', 'node_modules/.cache/prnd-cura/usr/share/cura/resources']
  .find(folder => existsSync(join(folder, 'definitions/fdmprinter.def.json')))
const engine = findProgram('CuraEngine')

/** It puts the origin of a part in the middle of the bed. */
const MACHINE = { machine_width: '256', machine_depth: '256', machine_height: '250' }
type Settings = Readonly<Record<string, string>>

const FILES: readonly (readonly [name: string, part: PartName, settings: Settings])[] = [
  ['as it comes', 'box', {}],
  ['faster, with accelerations of its own', 'box', {
    acceleration_enabled: 'true',
    jerk_enabled: 'true',
    speed_wall_0: '120',
    speed_wall_x: '150',
    speed_infill: '200',
    speed_topbottom: '120',
    speed_travel: '250'
  }],
  ['a vase', 'cone', { magic_spiralize: 'true', bottom_layers: '3', top_layers: '0', infill_line_distance: '0' }],
  ['supports', 'funnel', { support_enable: 'true' }],
  ['relative extrusion', 'bar', { relative_extrusion: 'true' }],
  ['lifts and wipes', 'cone', { retraction_hop_enabled: 'true', clean_between_layers: 'true' }],
  ['retractions by the firmware', 'cone', { machine_firmware_retract: 'true' }],
  ['a wide nozzle', 'bar', { machine_nozzle_size: '0.8', line_width: '0.8', layer_height: '0.4', layer_height_0: '0.4' }],
  ['ironed', 'box', { ironing_enabled: 'true' }]
]

async function slice (folder: string, part: PartName, settings: Settings): Promise<string> {
  const stl = join(folder, `${part}.stl`)
  const out = join(folder, 'out.gcode')
  await writeFile(stl, PARTS[part])
  const all = { ...MACHINE, ...settings }
  const options = (values: Settings) =>
    Object.entries(values).flatMap(([name, value]) => ['-s', `${name}=${value}`])
  const args = ['slice', '-j', join(RESOURCES!, 'definitions/fdmprinter.def.json'), '-o', out, ...options(all),
    '-e0', ...options({ ...all, material_diameter: '1.75' }), '-l', stl, ...options(all)]
  const definitions = ['definitions', 'extruders'].map(name => join(RESOURCES!, name)).join(':')
  const env = { ...process.env, CURA_ENGINE_SEARCH_PATH: definitions }
  await run(engine!, args, { timeout: TIMEOUT_MS, env, maxBuffer: 64 * 1024 ** 2 })
  return readFile(out, 'utf8')
}

const skip = engine === undefined ? 'no CuraEngine' : RESOURCES === undefined && 'no settings of Cura'

t.test('files of Cura', { skip }, async t => {
  const folder = testFolder(t)
  const differences: number[] = []
  for (const [name, part, settings] of FILES) {
    const text = await slice(folder, part, settings)
    const { findings, seconds, plate } = readText(text, { model: X1C })
    t.same(findings.filter(({ weight }) => weight !== 'note').map(({ code, message }) => `${code}: ${message}`), [], `${name}: nothing wrong`)
    t.equal(plate.layers.length - 1, Number(/;LAYER_COUNT:(\d+)/.exec(text)?.[1]), `${name}: layers`)
    const stated = Number([...text.matchAll(/;TIME_ELAPSED:([\d.]+)/g)].at(-1)?.[1])
    differences.push((seconds - stated) / stated)
    t.ok(Math.abs(differences.at(-1)!) < 0.12, `${name}: ${Math.round(seconds)} s, and ${Math.round(stated)} s by the slicer`)
  }
  const median = differences.map(Math.abs).toSorted((a, b) => a - b)[Math.floor(differences.length / 2)]!
  t.comment(`clock: ${differences.map(part => `${(part * 100).toFixed(1)} %`).join(', ')}; median ${(median * 100).toFixed(1)} %`)
  t.ok(median < 0.05, `median ${median}`)

  const text = await slice(folder, 'bar', { mesh_position_x: '50' })
  t.match(readText(text, { model: X1C }).findings, [{ code: 'outside_area', weight: 'stop' }], 'beside the bed')
})
