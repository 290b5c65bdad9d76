import t from 'tap'
import { MODELS } from '../../../core/printer/models.data.js'
import { modelByName, resolveModel } from '../../../core/index.js'
import { checkRecipe } from '../../../plugins/plate-change/recipe/check-recipe.js'
import { consequenceOf, hashOf } from '../../../plugins/plate-change/recipe/consequence.js'
import { EXAMPLES } from '../../../plugins/plate-change/recipe/examples.data.js'
import type { Recipe, RecipeProblem } from '../../../plugins/plate-change/recipe/types.js'

const x1c = modelByName('X1C')!

const recipe = (fields: Partial<Recipe>): Recipe => ({
  id: '0',
  name: 'Push',
  models: [],
  materials: [],
  start_gcode: '',
  end_gcode: '',
  cool_c: 30,
  cool_minutes: 60,
  soak_minutes: 0,
  magazine: 0,
  check: 'person',
  changedAt: 0,
  changedBy: '',
  ...fields
})

const codesOf = (end: string, start = ''): string[] =>
  checkRecipe(recipe({ end_gcode: end, start_gcode: start }), x1c).problems.map(({ code }: RecipeProblem) => code)

t.test('a recipe is written as what was understood, without comments', async t => {
  const { problems, lines } = checkRecipe(recipe({
    start_gcode: 'g28\r\n  G1  x10 ; right\r\n\r\n',
    end_gcode: '; ready\nM190 R30\nG90\nG1 Z{print_height_mm+10} F900\nG1 Y{bed_height_max-6}\nG91\nG1 Z-.5\n'
  }), x1c, { bed_height_max: 256, print_height_mm: 12.34, plate_index: 2 })
  t.same(problems, [])
  t.same(lines.start, ['G28', 'G1 X10'])
  t.same(lines.end, ['M190 R30', 'G90', 'G1 Z22.34 F900', 'G1 Y250', 'G91', 'G1 Z-0.5'])
})

t.test('what could harm a printer is refused', async t => {
  const z = 'G90\nG1 Z50\n'
  const cases: readonly (readonly [text: string, code: string])[] = [
    ['M104 S999\nM104 S0', 'too_hot'], ['M140 S121\nM140 S0', 'too_hot'], ['M190 S-5', 'too_hot'], ['M141 S40\nM141 S0', 'too_hot'],
    ['M104 S200', 'left_hot'], ['M140 S60', 'left_hot'],
    [`${z}G1 X257`, 'outside'], [`${z}G1 Y-1`, 'outside'], ['G90\nG1 Z0', 'outside'], ['G90\nG1 Z257', 'outside'],
    [`${z}G91\nG1 Z-60`, 'outside'], [`${z}G1 X1 F99999`, 'too_fast'],
    ['G91\nG1 Z10', 'position_unknown'], ['G90\nG1 X10', 'z_first'],
    ['G90\nG1 Z2\nG1 X0 Y200', 'into_print'], ['G90\nG1 Z60\nG1 Z2', 'into_print'], ['G90\nG1 Z2 X0 Y200', 'into_print'],
    ['M190 R29', 'waits_too_long'], ['M109 R20\nM104 S0', 'waits_too_long'],
    ['G28', 'home_z'], ['G28 Z', 'home_z'], ['G28 X\nG91\nG1 X5 Z1', 'position_unknown'],
    ['M500', 'unknown_command'], ['M502', 'unknown_command'], ['M211 S0', 'unknown_command'], ['G92 X0', 'unknown_command'],
    ['T1', 'unknown_command'], ['M84', 'unknown_command'], ['G29.1 Z0.02', 'unknown_command'], ['M1002 gcode_claim_action', 'unknown_command'],
    ['G1.5 Z10', 'unknown_command'], ['N1 G1 Z10', 'unknown_command'], ['constructor', 'unknown_command'], ['__proto__', 'unknown_command'],
    [`${z}G1 X1 E5`, 'unknown_word'], [`${z}G1 X1 (M500)`, 'unknown_word'], [`${z}G1 X1*55`, 'unknown_word'], [`${z}G1 X1M500`, 'unknown_word'],
    ['M104 S0 T1', 'unknown_word'], ['G28 X5', 'no_number'], [`${z}G1 X`, 'no_number'], ['G90\nG1 Z1e9', 'unknown_word'],
    ['G90\nG1 Z999999', 'no_number'], ['G90\nG1 Z10 Z20', 'word_twice'], ['G4', 'no_number'],
    ['G4 S601', 'waits_too_long'], [Array(8).fill('G4 S600').join('\n'), 'waits_too_long'], ['G4 S-1', 'waits_too_long'],
    ['G90\nG1 Z{print_height}', 'unknown_variable'], ['G90\nG1 Z{print_height_mm*2}', 'unknown_variable'],
    ['G90\nG1 Z{constructor}', 'unknown_variable'], ['G90\nG1 Z{{print_height_mm}}', 'unknown_word'],
    ['M106 P2 S256', 'too_fast'], ['M106 P99 S1', 'too_fast'],
    ['Ｇ1 Z10', 'not_text'], ['G90\u00a0', 'not_text'], ['; fine\rM500', 'not_text'], ['; fine\u2028M500', 'not_text'], ['G90\0M500', 'not_text'],
    [`G4 S1 ${' '.repeat(200)}S2`, 'too_long'], ['G90\n'.repeat(300), 'too_long'], [`;${'x'.repeat(9_000)}`, 'too_long']
  ]
  for (const [text, code] of cases) {
    // Written so that a line separator does not end the line of the report.
    t.ok(codesOf(text).includes(code), `${encodeURIComponent(text.slice(0, 40))} is refused as ${code}: ${codesOf(text).join()}`)
  }
})

t.test('at the start, axes have to be homed before they move', async t => {
  t.same(codesOf('', 'G90\nG1 Z10'), ['position_unknown'])
  t.same(codesOf('', 'G28\nG91\nG1 X10'), ['position_unknown'], 'where homing ends is not known')
  t.same(codesOf('', 'G28\nG1 X10 Y10'), [])
  t.same(codesOf('', 'M140 S60\nM190 S60'), [], 'the print goes on with a hot bed')
})

t.test('the nozzle may go down beside a print only', async t => {
  t.same(codesOf('G90\nG1 Z60\nG1 X0 Y200\nG1 Z2\nG1 Y5'), [])
  const high = { bed_height_max: 256, print_height_mm: 120, plate_index: 1 }
  const { problems } = checkRecipe(recipe({ end_gcode: 'G90\nG1 Z60\nG1 X0' }), x1c, high)
  t.match(problems, [{ code: 'into_print', line: 2 }], 'by the height of each plate')
})

t.test('a chamber that the start code heats is switched off by the end code', async t => {
  const chamber = modelByName('X1E')!
  const problems = (end: string) => checkRecipe(recipe({ start_gcode: 'M141 S60', end_gcode: end }), chamber).problems
  t.match(problems(''), [{ part: 'end', code: 'left_hot', message: /chamber is left at 60/ }])
  t.match(problems('M141 S40'), [{ code: 'left_hot' }])
  t.same(problems('M141 S0'), [])
})

t.test('limits are those of each model', async t => {
  t.same(checkRecipe(recipe({ end_gcode: 'G90\nG1 Z100\nG1 X300' }), modelByName('H2D')!).problems, [])
  t.match(checkRecipe(recipe({ end_gcode: 'G90\nG1 Z100\nG1 X190' }), modelByName('A1_MINI')!).problems, [{ code: 'outside', line: 3 }])
  t.match(checkRecipe(recipe({ end_gcode: 'G90' }), resolveModel('')).problems, [{ code: 'no_model' }])
})

t.test('no text of random pieces gets past the table of commands', async t => {
  let seed = 7
  const random = (below: number) => { seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648; return seed % below }
  const pieces = ['G1', 'G0', 'G28', 'M500', 'M104', 'M140', 'S', 'X', 'Z', 'E', '999', '-5', '10', '.5', ' ', '\n', '\r\n', ';', '(', '{print_height_mm}', '*', 'T0', 'é', '\t', 'G91', 'G90']
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: 1 + random(25) }, () => pieces[random(pieces.length)]).join('')
    const { lines, problems } = checkRecipe(recipe({ end_gcode: text }), x1c)
    for (const line of lines.end) {
      if (!/^(?:G0|G1|G4|G28|G90|G91|M104|M109|M140|M190|M141|M191|M106|M107|M400)(?: [XYZFSPR]-?[\d.]*)*$/.test(line)) t.fail(`${JSON.stringify(text)} became ${line}`)
    }
    if (problems.length === 0 && /M500|E\d|999/.test(lines.end.join())) t.fail(`${JSON.stringify(text)} was accepted`)
  }
})

t.test('everything that a person accepts is in the hash', async t => {
  const one = recipe({ end_gcode: 'G90', sensor: { topic: 'a', key: '', empty: 'yes' } })
  const changes: Partial<Recipe>[] = [
    { name: 'Pull' }, { models: ['P1S'] }, { materials: ['PLA'] }, { start_gcode: 'G28' }, { end_gcode: 'G91' }, { cool_c: 31 },
    { cool_minutes: 61 }, { soak_minutes: 1 }, { magazine: 3 }, { check: 'camera' }, { sensor: { topic: 'b', key: '', empty: 'yes' } },
    { sensor: { topic: 'a', key: 'x', empty: 'yes' } }, { sensor: { topic: 'a', key: '', empty: 'no' } }
  ]
  const hashes = changes.map(change => hashOf({ ...one, ...change }))
  t.equal(new Set([hashOf(one), ...hashes]).size, changes.length + 1)
  t.equal(hashOf({ ...one, changedAt: 5 }), hashOf(one), 'when it was changed says nothing')
  t.match(consequenceOf(one), /moves by its G-code/)
})

t.test('the examples can be used as they are, and say that they are examples', async t => {
  for (const example of EXAMPLES) {
    t.match(example.note, /must be adapted/)
    for (const model of MODELS.filter(({ bedMm: [x, y] }) => x >= 256 && y >= 250)) {
      t.same(checkRecipe(example, model).problems, [], `${example.name} on ${model.model}`)
    }
  }
})
