import t, { type Test } from 'tap'
import { modelByName } from '../../../core/printer/models.js'
import type { ModelInfo } from '../../../core/printer/model-info.js'
import type { Finding, FindingCode, Weight } from '../../../plugins/toolpath/findings/types.js'
import { findingTexts } from '../../../plugins/toolpath/index.js'
import { readText } from './files/read-text.js'
import { vendorPlate, type VendorPlate } from './files/vendor-plate.js'

/** One change of a good file. The line is where the finding has to be; -1 for the last one, 0 for none. */
interface Planted {
  readonly lines: readonly string[]
  readonly line: number
}
interface Kind {
  readonly name: string
  readonly code: FindingCode
  readonly weight: Weight
  /** @param at place of a move of the part in `lines`, which it may change */
  readonly plant: (lines: readonly string[], at: number, model: ModelInfo) => Planted
}

const replaced = (lines: readonly string[], at: number, line: string): Planted =>
  ({ lines: lines.toSpliced(at, 1, line), line: at + 1 })
const before = (lines: readonly string[], at: number, ...more: readonly string[]): string[] =>
  lines.toSpliced(at, 0, ...more)
/** The first line from a place on that a pattern fits. */
const next = (lines: readonly string[], at: number, pattern: RegExp): number => {
  const found = lines.findIndex((line, index) => index >= at && pattern.test(line))
  if (found === -1) throw new Error(`no ${pattern} after line ${at}`)
  return found
}
const setting = (lines: readonly string[], key: string, value: string): string[] =>
  lines.map(line => line.startsWith(`; ${key} = `) ? `; ${key} = ${value}` : line)

const PART_MOVE = /^G1 X\S+ Y\S+ E0?\.\d+$/
const move = (x: number, y: number) => `G1 X${x} Y${y} E.5`

/** Beyond each side of the bed, by little and by much, straight and by an arc. */
const places: readonly Kind[] = [
  ...([['left', -6.4, 100], ['right', 6.4, 100], ['front', 100, -6.4], ['back', 100, 6.4], ['far', -90, -90], ['near', -0.9, 50]] as const)
    .map(([name, x, y]): Kind => ({
      name: `beyond the bed, ${name}`,
      code: 'outside_area',
      weight: 'stop',
      plant: (lines, at, { bedMm: [width, depth] }) =>
        replaced(lines, at, move(name === 'right' ? width + x : x, name === 'back' ? depth + y : y))
    })),
  {
    name: 'an arc that leaves the bed between its ends',
    code: 'outside_area',
    weight: 'stop',
    plant: (lines, at, { bedMm: [width] }) => ({
      lines: before(lines, at, `G1 X${width - 1} Y80 E.1`, 'G3 X' + `${width - 1} Y100 I0 J10 E.8`),
      line: at + 2
    })
  },
  {
    name: 'too high',
    code: 'too_high',
    weight: 'stop',
    plant: (lines, at, { bedMm: [,, height] }) => ({ lines: before(lines, at, `G1 Z${height + 3}`), line: at + 2 })
  }
]
const corner: Kind = {
  name: 'in the excluded corner',
  code: 'excluded_area',
  weight: 'stop',
  plant: (lines, at) => ({ lines: before(lines, at, 'G1 X40 Y10 F9000', 'G1 X5 Y10 E.8', 'G1 X60 Y60'), line: at + 2 })
}
const strip: Kind = {
  name: "in the other nozzle's strip",
  code: 'other_nozzle_area',
  weight: 'stop',
  plant: (lines, at, { bedMm: [width] }) => ({ lines: before(lines, at, `G1 X${width - 5} Y100 E1`, 'G1 X5 Y100 E1'), line: 0 })
}

const heat: readonly Kind[] = [
  { name: 'switched off', code: 'cold_extrusion', weight: 'stop', plant: (lines, at) => ({ lines: before(lines, at, 'M104 S0'), line: at + 2 }) },
  { name: 'cool', code: 'cold_extrusion', weight: 'stop', plant: (lines, at) => ({ lines: before(lines, at, 'M109 S90'), line: at + 2 }) },
  { name: 'too cool for its filament', code: 'cold_extrusion', weight: 'warn', plant: (lines, at) => ({ lines: before(lines, at, 'M104 S150'), line: at + 2 }) },
  { name: 'nozzle too hot', code: 'nozzle_too_hot', weight: 'stop', plant: (lines, at, { nozzleMaxC }) => ({ lines: before(lines, at, `M104 S${nozzleMaxC + 1}`), line: at + 1 }) },
  { name: 'nozzle far too hot', code: 'nozzle_too_hot', weight: 'stop', plant: (lines, at) => ({ lines: before(lines, at, 'M109 S450 T1'), line: at + 1 }) },
  { name: 'bed too hot', code: 'bed_too_hot', weight: 'stop', plant: (lines, at, { bedMaxC }) => ({ lines: before(lines, at, `M140 S${bedMaxC + 5}`), line: at + 1 }) },
  { name: 'bed too hot, and waited for', code: 'bed_too_hot', weight: 'stop', plant: (lines, at) => ({ lines: before(lines, at, 'M190 R140'), line: at + 1 }) }
]
const chamber: Kind = { name: 'chamber too hot', code: 'chamber_too_hot', weight: 'stop', plant: (lines, at) => ({ lines: before(lines, at, 'M141 S90'), line: at + 1 }) }

const sequences: readonly Kind[] = [
  {
    name: 'a filament that the file has not',
    code: 'no_such_tool',
    weight: 'stop',
    plant: (lines, at) => ({ lines: before(lines, at, 'M620 S9A', 'T9', 'M621 S9A'), line: at + 2 })
  },
  ...([['M500', 'warn'], ['M502', 'warn'], ['M92 E400', 'warn'], ['M851 Z-1', 'warn'], ['M906 X900', 'note']] as const)
    .map(([command, weight]): Kind => ({
      name: `${command} in the print`,
      code: 'settings_changed',
      weight,
      plant: (lines, at) => ({ lines: before(lines, at, command), line: at + 1 })
    })),
  {
    name: 'too much flow',
    code: 'flow_too_high',
    weight: 'warn',
    plant: (lines, at) => {
      const fast = Array.from({ length: 60 }, (_, n) => `G1 X${n % 2 === 0 ? 90 : 60} Y70 E12 F4000`)
      return { lines: before(lines, at, 'G1 X60 Y70', ...fast), line: at + 2 }
    }
  }
]

const damage: readonly Kind[] = [
  { name: 'binary rubbish', code: 'not_gcode', weight: 'stop', plant: (lines, at) => replaced(lines, at, '\u0000\u0001\u0002\u0007\u0010PK\u0003\u0004') },
  { name: 'a move without a number', code: 'not_gcode', weight: 'stop', plant: (lines, at) => replaced(lines, at, 'G1 X Y E.5') },
  { name: 'cut off', code: 'truncated', weight: 'stop', plant: (lines, at) => ({ lines: lines.slice(0, at), line: -1 }) },
  {
    name: 'cut off within a line',
    code: 'truncated',
    weight: 'stop',
    plant: (lines, at) => ({ lines: [...lines.slice(0, at), lines[at]!.slice(0, 7)], line: -1 })
  }
]

/** Of the whole file, wherever it is planted. */
const whole: readonly Kind[] = [
  {
    name: 'no homing',
    code: 'not_homed',
    weight: 'stop',
    plant: lines => {
      const cold = lines.filter(line => !/^\s*G28/.test(line))
      return { lines: cold, line: next(cold, 0, /^G[01] .*X.*E\d/) + 1 }
    }
  },
  {
    name: 'never heated',
    code: 'cold_extrusion',
    weight: 'stop',
    plant: lines => {
      const cold = lines.filter(line => !/^\s*M10[49]/.test(line))
      return { lines: cold, line: next(cold, next(cold, 0, /FEATURE: Inner wall/), PART_MOVE) + 1 }
    }
  },
  {
    name: 'a lower bed in the file',
    code: 'too_high',
    weight: 'stop',
    plant: lines => {
      const low = setting(lines, 'printable_height', '1')
      return { lines: low, line: next(low, next(low, 0, /^; Z_HEIGHT: 1\.6/), PART_MOVE) + 1 }
    }
  },
  {
    name: 'a weight that is wrong',
    code: 'weight_differs',
    weight: 'note',
    plant: lines =>
      ({ lines: lines.map(line => line.replace(/^; total filament weight.*/, '; total filament weight [g] : 900')), line: 0 })
  },
  {
    name: 'a time that is wrong',
    code: 'time_differs',
    weight: 'note',
    plant: lines =>
      ({ lines: lines.map(line => line.replace(/^; model printing time.*/, '; model printing time: 3h 1m 2s; total estimated time: 4h')), line: 0 })
  },
  {
    name: 'half of the layers',
    code: 'truncated',
    weight: 'warn',
    plant: lines =>
      ({ lines: lines.map(line => line.replace(/^; total layer number.*/, '; total layer number: 500')), line: -1 })
  },
  {
    name: 'no layers',
    code: 'no_layers',
    weight: 'note',
    plant: lines =>
      ({ lines: lines.filter(line => !/^; (CHANGE_LAYER|total layer)|^M73/.test(line)), line: 0 })
  }
]

const SHARES = [0.02, 0.5, 0.98]
const modelNamed = (name: string): ModelInfo => {
  const model = modelByName(name)
  if (model === undefined) throw new Error(`no model ${name}`)
  return model
}

function good (plate: VendorPlate) {
  const lines = vendorPlate({ layers: 8, ...plate }, rest => readText(rest.join('\n'), { model: plate.model }).seconds)
  const begin = next(lines, 0, /^; CHANGE_LAYER/)
  let isPart = false
  const moves = lines.flatMap((line, at) => {
    if (line.startsWith('; FEATURE:')) isPart = /wall|surface|infill/.test(line)
    return at > begin && isPart && PART_MOVE.test(line) ? [at] : []
  })
  return { lines, moves }
}

let planted = 0

/** Written for browsers, and needs none. */
const { findingWords } = await import(new URL('../../../plugins/shell/page/findings.js', import.meta.url).href) as {
  findingWords: (finding: Finding, words: ReturnType<typeof wordsOf>) => { message: string, remedy: string }
}

/** Words of a page, without anything of a browser. */
const wordsOf = (texts: Readonly<Record<string, string>>) => ({
  clock: (at: string) => new Date(at).toTimeString().slice(0, 5),
  number: String,
  hasText: (key: string) => key in texts,
  t: (key: string, values: Readonly<Record<string, unknown>> = {}): string =>
    (texts[key] ?? key).replaceAll(/\{(\w+)\}/g, (place, name: string) => name in values ? String(values[name]) : place)
})
/** Pages write these in their own way: times with two digits, several nozzles with a comma. */
const OTHERWISE = ['time_differs', 'other_nozzle']

function checkWords (t: Test, finding: Finding, title: string) {
  const { message: english } = findingWords(finding, wordsOf(findingTexts.en))
  const own = finding.message.replace(/^Line \d+(, layer \d+)?: /, '')
  if (!OTHERWISE.includes(finding.code)) t.equal(english, own.charAt(0).toUpperCase() + own.slice(1), `${title}: as the service says it`)
  for (const texts of [findingTexts.de, findingTexts.zh]) {
    const { message, remedy } = findingWords(finding, wordsOf(texts))
    t.ok(message !== english && !/[{}]|undefined|finding\./.test(`${message} ${remedy}`), `${title}: ${message} ${remedy}`)
  }
}

type At = { readonly lines: readonly string[], readonly at: number }

function check (t: Test, kind: Kind, plate: VendorPlate, { lines, at }: At) {
  const { model } = plate
  const bad = kind.plant(lines, at, model)
  const nozzleByTool = model.extruders === 2 ? [0, 1, 0, 1] : undefined
  const { findings, plate: { lines: count } } = readText(bad.lines.join('\n'), { model, ...nozzleByTool && { nozzleByTool } })
  const found = findings.find(({ code, weight }) => code === kind.code && weight === kind.weight)
  const title = `${kind.name}, ${model.model}, from line ${at + 1}`
  planted++
  if (found === undefined) return t.fail(`${title}: ${JSON.stringify(findings.map(({ code, line }) => `${code} ${line}`))}`)
  t.ok(found.message.length > 20 && found.remedy.length > 10, title)
  checkWords(t, found, title)
  if (kind === strip) t.ok(found.line === at + 1 || found.line === at + 2, `${title}: ${found.line}`)
  else t.equal(found.line, bad.line === -1 ? count : bad.line, `${title}: ${found.message}`)
}

t.test('faults at the beginning, in the middle and at the end of the print are found, on their lines', async t => {
  const plates: readonly (VendorPlate & { readonly kinds: readonly Kind[] })[] = [
    { model: modelNamed('X1C'), filaments: 2, with: ['tower', 'timelapse'], kinds: [...places, corner, ...heat, ...sequences, ...damage] },
    { model: modelNamed('A1_MINI'), with: ['timelapse'], kinds: [...places, ...heat, ...sequences, ...damage] },
    { model: modelNamed('H2D'), filaments: 2, with: ['tower'], kinds: [...places, strip, chamber, ...heat, ...sequences, ...damage] }
  ]
  for (const { kinds, ...plate } of plates) {
    const { lines, moves } = good(plate)
    for (const kind of kinds) {
      for (const share of SHARES) check(t, kind, plate, { lines, at: moves[Math.floor(moves.length * share)]! })
    }
  }
})

t.test('faults of a file as a whole are found', async t => {
  for (const name of ['X1C', 'A1', 'H2S']) {
    const plate = { model: modelNamed(name) }
    const { lines } = good(plate)
    for (const kind of whole) check(t, kind, plate, { lines, at: 0 })
  }
})

t.test('there are enough of them', async t => { t.ok(planted >= 200, `${planted} faults`) })
