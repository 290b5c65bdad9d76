import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { modelRow, modelTable } from '../../docs/generator/models.js'
import { MODELS } from '../../core/printer/models.data.js'
import { modelByName } from '../../core/printer/models.js'

const README = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')
const rowsOf = (text: string) => text.split('\n').filter(line => line.startsWith('| '))

t.test('the table of models in the README says what the data says', async t => {
  const expected = rowsOf(modelTable(MODELS))
  const heading = expected[0] ?? ''
  const all = rowsOf(README)
  const from = all.indexOf(heading)
  t.not(from, -1, 'the table is there')
  t.same(all.slice(from, from + expected.length), expected)
})

t.test('a row reads as people know the model', async t => {
  const rowOf = (name: string) => modelRow(modelByName(name) ?? t.fail(`no model ${name}`) as never)
  t.same(rowOf('X1C'), ['X1 Carbon', 'H.264 (RTSPS)', 'AMS, 2 Pro, HT', '01.08.50.18', '1', 'sensor', '01.07.00.00',
    'spaghetti, plate marker, first layer', '01.08.50.32'])
  t.same(rowOf('X1E').slice(5), ['heated to 60 °C', '01.01.02.00', 'spaghetti, plate marker, first layer', '–'])
  t.same(rowOf('A1 mini').slice(1, 8), ['JPEG', 'lite, AMS, 2 Pro, HT', '01.06.10.33', '1', '–', '–', 'plate marker'])
  t.same(rowOf('H2D').slice(3, 7), ['yes', '2', 'heated to 65 °C', 'yes'])
  t.equal(rowOf('P2S').at(-1), 'any firmware')
})
