import t from 'tap'
import { modelByName, UNKNOWN_MODEL } from '../../../core/printer/models.js'
import { readText } from './files/read-text.js'

const X1C = modelByName('X1C') ?? UNKNOWN_MODEL
const worth = (text: string | Uint8Array, more?: Parameters<typeof readText>[2]) =>
  readText(text, { model: X1C }, more).findings.filter(({ weight }) => weight !== 'note').map(({ code, weight }) => `${code} ${weight}`)
const HEADER = '; HEADER_BLOCK_START\n; total layer number: 100\n; HEADER_BLOCK_END\n'

t.test('a short text that neither heats nor extrudes is harmless', async t => {
  t.same(worth(HEADER), [], 'comments alone')
  t.same(worth('; nothing to do'), [], 'one comment without a line end')
  t.same(worth(`${HEADER}G28\nM400\n`), [], 'homing')
  t.same(worth(`${HEADER}M73 P0 R90\nG28\nG1 X10 Y10 F6000\nM104 S0\nM140 S0\n`), [], 'moves, and progress that ends at once')
  t.match(readText(`${HEADER}G28\n`, { model: X1C }).findings, [{ code: 'truncated', weight: 'note' }], 'it is still said')
})

t.test('what is no G-code, and what ends while it is hot, is not', async t => {
  t.same(worth(''), ['not_gcode stop'], 'empty')
  t.same(worth('; a list\nmilk\nbread\n'), ['not_gcode stop'], 'prose')
  t.same(worth(new Uint8Array(400)), ['not_gcode stop'], 'NUL')
  t.same(worth(`${HEADER}G28\nM104 S220\n`), ['truncated warn'], 'heats, and ends')
  t.same(worth(`${HEADER}G28\nM140 S60\n`), ['truncated warn'], 'heats the bed, and ends')
  t.same(worth(`${HEADER}M73 P4 R90\nG28\nM104 S220\n`), ['truncated stop'], 'heats, and ends at 4 %')
  t.same(worth(`${HEADER}M73 P4 R90\nG28\nM140 S60\n`), ['truncated stop'], 'heats the bed, and ends at 4 %')
  t.same(worth(`${HEADER}G28\n`, { isCutOff: true }), ['truncated stop'], 'a damaged archive')
})

t.test('a file that switches its nozzle off was written to its end', async t => {
  const print = (progress: string, end: string) =>
    `G28\nM104 S220\nM83\n;LAYER:0\nG1 X10 Y10 F6000\n${progress}\nG1 X20 E1\n${end}`
  t.same(worth(print('M73 P80', 'M104 S0')), [], 'progress by layer ends before the last one')
  t.same(worth(print('M73 P80', '')), ['truncated stop'])
  t.same(worth(print('M73 P100', '')), [], 'and so does one that says so')
  t.same(worth(print('', '')), ['truncated warn'])
})
