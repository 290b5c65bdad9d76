import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entriesOf } from '../projects/make-3mf.js'
import { writeZip } from '../../../plugins/emulator/sample-sd-card/index.js'
import { plateText } from '../toolpath/plate-text.js'

/** An archive as these programs write it where they have no screen: without pictures, or with empty ones. */
export function finishedPlate (startC = 220): Buffer {
  const gcode = plateText({ layers: 2, startC })
  return writeZip([
    ...entriesOf([{
      number: 1,
      gcode,
      md5: createHash('md5').update(gcode).digest('hex').toUpperCase(),
      filaments: [{ id: 1, type: 'PLA', color: '#112233' } as never],
      metadata: { prediction: '660', weight: '1.50' },
      objects: [{ id: 3, name: 'tile' }]
    }], { printer_model: 'Bambu Lab P1S', filament_colour: ['#112233'] }),
    { name: 'Metadata/plate_1.png', content: Buffer.alloc(0) },
    { name: '../outside.txt', content: Buffer.from('x') }
  ])
}

/** Checks all that the program gets, as its source reads it, and writes an archive and what it says of its end. */
const CHECKS = String.raw`
const { readFileSync, writeFileSync, existsSync, openSync, writeSync, mkdirSync } = require('node:fs')
const { join, isAbsolute } = require('node:path')
const args = process.argv.slice(2)
if (args[0] === '--help') { console.log('TITLE-2.3.1:'); console.log('Usage: orca-slicer [ OPTIONS ]'); process.exit(0) }
const options = {}
while (args.length > 0) {
  const key = args.shift()
  options[key] = key === '--min-save' ? true : args.shift()
}
const say = (code, words) => {
  writeFileSync(join(options['--outputdir'], 'result.json'), JSON.stringify({ return_code: code, error_string: words }))
  console.error('[2026-09-01 10:00:00.0] [0x0] [error]   error_code 65544, description: Wayland: Failed to connect to display')
  console.error('[2026-09-01 10:00:00.0] [0x0] [error]   ' + words)
  process.exitCode = code
}
const must = (isRight, what) => { if (!isRight) { say(-2, 'stand-in: ' + what + ' ' + JSON.stringify(options)); process.exit() } }
const known = ['--datadir', '--outputdir', '--debug', '--load-settings', '--load-filaments', '--load-assemble-list',
  '--arrange', '--orient', '--slice', '--min-save', '--export-3mf', '--pipe']
must(Object.keys(options).every(key => known.includes(key)), 'unknown option')
must(options['--arrange'] === '0' && options['--orient'] === '0' && options['--slice'] === '0', 'nothing is moved')
must(!isAbsolute(options['--export-3mf']), 'the folder is put before the name')
must(existsSync(options['--datadir']), 'its own data')
const files = options['--load-settings'].split(';')
must(files.length === 2, 'machine and process')
const [machine, settings, filament] = [...files, options['--load-filaments']].map(path => JSON.parse(readFileSync(path, 'utf8')))
must(machine.type === 'machine' && settings.type === 'process' && filament.type === 'filament', 'types')
for (const preset of [machine, settings, filament]) {
  must(preset.from === 'system' && !preset.inherits && preset.name, 'resolved')
  must(Object.entries(preset).every(([, value]) => typeof value === 'string' || value.every(one => typeof one === 'string')), 'texts')
}
must(settings.compatible_printers.includes(machine.name), 'compatible')
must(!JSON.stringify([machine, settings, filament]).includes('post_process'), 'no programs')
const { plates } = JSON.parse(readFileSync(options['--load-assemble-list'], 'utf8'))
must(plates.length === 1 && plates[0].need_arrange === false, 'one plate')
for (const { path, count, filaments } of plates[0].objects) {
  must(isAbsolute(path) && readFileSync(path).length > 84 && count === 1 && filaments[0] === 1, 'models')
}
if (options['--pipe']) {
  const pipe = openSync(options['--pipe'], 'w')
  writeSync(pipe, JSON.stringify({ plate_index: 1, total_percent: 40, message: 'Generating walls' }) + '\n{"cut\n')
}
writeFileSync(join(__dirname, 'seen.json'), JSON.stringify({ machine, process: settings, filament, models: plates[0].objects.map(({ path }) => path) }))
const done = () => writeFileSync(join(options['--outputdir'], options['--export-3mf']), readFileSync(join(__dirname, 'finished.3mf')))
`

export interface StandIn {
  readonly program: string
  /** What it was given. */
  readonly seen: string
}

/** A program that takes the place of OrcaSlicer or Bambu Studio. @param ends what it does once all was right */
export function standIn (
  folder: string, { title = 'OrcaSlicer', ends = 'done()', archive = finishedPlate() }:
  { readonly title?: string, readonly ends?: string, readonly archive?: Buffer } = {}
): StandIn {
  const [script, program] = [join(folder, 'program.cjs'), join(folder, 'orca-slicer')]
  writeFileSync(script, `${CHECKS.replace('TITLE', title)}\n${ends}\n`)
  writeFileSync(join(folder, 'finished.3mf'), archive)
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  chmodSync(program, 0o755)
  return { program, seen: join(folder, 'seen.json') }
}
