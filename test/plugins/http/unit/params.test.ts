import t from 'tap'
import { Type, type TObject } from 'typebox'
import { isDryRun, readParams, refuseNameless, refuseUnknown, textParam, type Sources } from '../../../../plugins/http/params.js'

const sources = (given: Partial<Sources>): Sources => ({ path: {}, query: {}, form: {}, json: {}, ...given })
const Schema = (property: object, required = true) => Type.Object({
  p: required ? Type.Unsafe(property) : Type.Optional(Type.Unsafe(property))
}) as unknown as TObject

/** What a parameter is read as: from a query, a form and JSON; a message when it is refused. */
function read (property: object, given: Partial<Sources>, required = true): unknown {
  try {
    return readParams(Schema(property, required), sources(given)).p
  } catch (error) {
    return (error as { code?: string, message: string }).code === 'PRN_ERR_BAD_INPUT'
      ? (error as Error).message
      : error
  }
}
const asText = (property: object, value: string, required = true) =>
  [read(property, { query: { p: value } }, required), read(property, { form: { p: value } }, required)]
const asJson = (property: object, value: unknown, required = true) => read(property, { json: { p: value } }, required)

t.test('what is named in the path wins over query and body', t => {
  const given = { path: { p: '7' }, query: { p: '8' }, json: { p: 9 } }
  t.equal(read(Type.Integer(), given), 7)
  t.end()
})

t.test('integers: decimal texts wherever they stand, JSON numbers without a fraction', async t => {
  const integer = Type.Integer()
  for (const [text, value] of [['60', 60], ['-5', -5], [' 7 ', 7], ['+3', 3], ['007', 7]] as const) {
    t.same(asText(integer, text), [value, value], text)
  }
  for (const text of ['', 'abc', '1.0', '1e2', '0x10', '1,000', '- 5', 'true', '9'.repeat(16)]) {
    for (const got of asText(integer, text)) t.match(got, /^p must be an integer, got "/, text)
  }
  t.equal(asJson(integer, 60), 60)
  t.equal(asJson(integer, 60.0), 60)
  for (const text of ['60', ' 60 ']) t.equal(asJson(integer, text), 60, 'the same as text in JSON')
  for (const value of ['', '60.5', '1e2', 1.5, true, [60], {}]) t.match(asJson(integer, value), /^p must be an integer, got /)
})

t.test('numbers: fractions too, and nothing that is not finite', async t => {
  const number = Type.Number()
  for (const [text, value] of [['0.4', 0.4], ['.5', 0.5], ['2.', 2], ['-1.25', -1.25]] as const) {
    t.same(asText(number, text), [value, value], text)
  }
  for (const text of ['', '1e5', 'NaN', 'Infinity', '0,4', '.']) {
    for (const got of asText(number, text)) t.match(got, /^p must be a number, got /, text)
  }
  t.equal(asJson(number, 0.4), 0.4)
  t.equal(asJson(number, '0.4'), 0.4)
  for (const value of ['', '1e5', 'NaN', [0.4]]) t.match(asJson(number, value), /^p must be a number, got /)
})

t.test('switches: true and false as text or as they are; other texts only where they may be left out', async t => {
  const boolean = Type.Boolean()
  for (const required of [true, false]) {
    for (const text of ['true', 'TRUE', ' True ']) t.same(asText(boolean, text, required), [true, true], text)
    for (const text of ['false', 'False']) t.same(asText(boolean, text, required), [false, false], text)
    for (const value of [true, 'true', 'TRUE']) t.equal(asJson(boolean, value, required), true)
    for (const value of [false, 'false']) t.equal(asJson(boolean, value, required), false)
    for (const value of [1, 0, [], {}]) t.match(asJson(boolean, value, required), /^p must be true or false, got /)
  }
  for (const text of ['', '1', 'yes', 'on']) {
    t.same(asText(boolean, text, false), [false, false], `'${text}', which may be left out`)
    for (const got of asText(boolean, text)) t.match(got, /^p must be true or false, got /, text)
  }
})

t.test('a switch with a default may be left out, so that any text is taken for it', async t => {
  const boolean = Type.Boolean({ default: true })
  t.equal(read(boolean, {}), true, 'left out')
  for (const text of ['', '1', 'yes', 'false']) t.same(asText(boolean, text), [false, false], `'${text}'`)
  t.equal(asJson(boolean, 'odd'), false)
  t.equal(asJson(boolean, null), true, 'null is left out')
  t.match(asJson(boolean, 1), /^p must be true or false, got 1$/)
})

t.test('texts: as they are; of a list without regard to case', async t => {
  t.same(asText(Type.String(), ' as it is '), [' as it is ', ' as it is '])
  t.equal(asJson(Type.String(), ''), '')
  for (const value of [5, true, ['a'], {}]) t.match(asJson(Type.String(), value), /^p must be text, got /)
  for (const list of [Type.Enum(['on', 'off']), { type: 'string', enum: ['on', 'off'] }]) {
    t.same(asText(list, 'ON'), ['on', 'on'])
    t.equal(asJson(list, 'Off'), 'off')
    for (const got of asText(list, 'half')) t.equal(got, 'p must be one of on, off, got "half"')
    t.match(asJson(list, 1), /^p must be text, got 1$/)
    t.match(asJson(list, null), /'p' is required/)
  }
})

t.test('anything: JSON of every kind, null included; a text elsewhere', async t => {
  for (const value of [null, 0, 'x', [1], { a: 1 }, false]) t.same(asJson(Type.Unknown(), value), value)
  t.same(asText(Type.Unknown(), '5'), ['5', '5'])
})

t.test('bounds and lists of the schema hold for every source', async t => {
  const percent = Type.Integer({ minimum: 0, maximum: 100 })
  for (const text of ['-1', '101']) for (const got of asText(percent, text)) t.match(got, /^p must be [<>]= /)
  t.match(asJson(percent, 101), /^p must be <= 100$/)
  t.equal(asJson(percent, 100), 100)
})

t.test('what is missing, or null, was not given', async t => {
  for (const property of [Type.Integer(), Type.Boolean(), Type.String(), Type.Enum(['a'])]) {
    t.equal(read(property, {}), "'p' is required")
    t.equal(asJson(property, null), "'p' is required", 'a switch too: null is not false')
    t.equal(read(property, {}, false), undefined)
    t.equal(asJson(property, null, false), undefined)
  }
  t.equal(read(Type.Integer({ default: 4 }), {}, false), 4, 'a default takes its place')
})

t.test('the path wins over JSON, that over a form, a form over the query', async t => {
  const all = { query: { p: '1' }, form: { p: '2' }, json: { p: 3 } }
  t.equal(read(Type.Integer(), all), 3)
  t.equal(read(Type.Integer(), { ...all, path: { p: '4' } }), 4)
  t.equal(read(Type.Integer(), { ...all, json: {} }), 2)
  t.equal(read(Type.Integer(), { ...all, json: {}, form: {} }), 1)
  t.equal(read(Type.Integer(), { ...all, json: { p: null } }), 2, 'null gives way')
  t.equal(read(Type.Integer(), { query: { p: ['1', '2'] } }), 2, 'of a repeated one the last')
})

t.test('only what the schema names is read', async t => {
  t.same(readParams(Schema(Type.Integer()), sources({ query: { p: '1', q: '2', constructor: '3' } })), { p: 1 })
  t.same(readParams(Type.Object({}), sources({ json: { __proto__: { p: 1 } } })), {})
})

t.test("the printer's name is text or nothing", async t => {
  const printer = (given: Partial<Sources>) => textParam(sources(given), 'printer')
  t.equal(printer({ query: { printer: 'a' }, json: { printer: 'b' } }), 'b')
  t.equal(printer({ query: { printer: 'a' }, json: { printer: null } }), 'a', 'null does not hide it')
  t.equal(printer({ query: { printer: '' } }), undefined)
  t.equal(printer({}), undefined)
  for (const value of [5, true, ['a'], {}]) {
    t.throws(() => printer({ json: { printer: value } }), { code: 'PRN_ERR_BAD_INPUT' }, 'never the default instead')
  }
})

t.test('what does not exist is named with what was probably meant', async t => {
  const known = ['filename', 'platenum', 'plate', 'printer']
  const says = (given: Partial<Sources>) => {
    try {
      refuseUnknown(known, sources(given))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }
  t.equal(says({ query: { platenum: '2' }, form: { plate: '' }, json: { filename: 5 } }), undefined)
  t.equal(says({ query: { _: '1767225600' } }), undefined, 'what gets past caches')
  for (const source of ['query', 'form', 'json']) {
    t.equal(says({ [source]: { plate_num: '2' } }), "unknown parameter 'plate_num'; did you mean 'platenum'?")
  }
  t.equal(says({ query: { all: 'true' } }), "unknown parameter 'all'; known parameters: filename, platenum, plate, printer")
  t.match(says({ json: { ['x'.repeat(500)]: 1 } }), /^unknown parameter 'x{60}…'; /)
  t.equal(says({ query: { constructor: '' } })?.startsWith("unknown parameter 'constructor'"), true)
})

t.test('a printer that is given has a name', async t => {
  for (const given of [{}, { query: { printer: 'a' } }, { json: { printer: null } }, { query: { printer: '' }, json: { printer: 'a' } }]) {
    t.doesNotThrow(() => refuseNameless(sources(given)), JSON.stringify(given))
  }
  for (const printer of ['', '  ', 5, []]) {
    t.throws(() => refuseNameless(sources({ json: { printer } })), { code: 'PRN_ERR_BAD_INPUT', message: /leave it out/ })
  }
  t.throws(() => refuseNameless(sources({ query: { printer: '' } })), { code: 'PRN_ERR_BAD_INPUT' })
})

t.test('a value of any depth is refused in a sentence', async t => {
  let nested: unknown = []
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]
  for (const type of [Type.Integer(), Type.Number(), Type.Boolean(), Type.String(), Type.Enum(['a'])]) {
    t.match(asJson(type, nested), /^p must be .*, got a list$/)
    t.match(asJson(type, { nested }), /^p must be .*, got an object$/)
  }
})

t.test('a long value is not repeated whole', async t => {
  const [message] = asText(Type.Integer(), 'x'.repeat(1_000))
  t.ok(String(message).length < 120)
})

t.test('anything but true or false as dry_run is refused', async t => {
  const dry = (given: Partial<Sources>) => isDryRun(sources(given))
  t.same([dry({}), dry({ json: { dry_run: true } }), dry({ query: { dry_run: ['true', 'true'] } })], [false, true, true])
  for (const wrong of [[], [true], {}, null, 1, 'yes']) {
    t.throws(() => dry({ json: { dry_run: wrong } }), { code: 'PRN_ERR_BAD_INPUT' }, JSON.stringify(wrong))
  }
})
