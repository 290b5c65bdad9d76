import t from 'tap'
import { Type } from 'typebox'
import { validationError } from '../../../core/util/validate.js'

const Printer = Type.Object({
  name: Type.String({ minLength: 1 }),
  mode: Type.Optional(Type.Enum(['ca', 'pin'])),
  code: Type.Optional(Type.Union([Type.String(), Type.Object({ env: Type.String() }, { additionalProperties: false })],
    { title: 'a text, or { "env": NAME }' }))
}, { additionalProperties: false })
const Shape = Type.Object({
  printers: Type.Array(Printer, { default: [] }),
  port: Type.Optional(Type.Integer({ minimum: 1 })),
  nested: Type.Object({ deep: Type.Number({ default: 5 }) }, { default: {}, additionalProperties: false }),
  version: Type.Optional(Type.Literal(1))
}, { additionalProperties: false })

const says = (value: unknown) => validationError(Shape, value)

t.test('what fits gives nothing back and gets its defaults, all the way down', async t => {
  const value: Record<string, unknown> = {}
  t.equal(says(value), undefined)
  t.same(value, { printers: [], nested: { deep: 5 } })
  const other: { nested?: object } = {}
  says(other)
  t.not(other.nested, value.nested, 'defaults are not shared')
})

t.test('nothing is coerced', async t => {
  t.equal(says({ port: '1' }), 'port must be integer')
  t.equal(says({ printers: [{ name: 1 }] }), 'printers[0].name must be string')
})

t.test('every kind of misfit says where and what', async t => {
  t.equal(says([]), 'it must be object')
  t.equal(says({ printers: {} }), 'printers must be array')
  t.equal(says({ printers: [{}] }), "printers[0]: 'name' is required")
  t.equal(says({ printers: [{ name: '' }] }), 'printers[0].name must NOT have fewer than 1 characters')
  t.equal(says({ printers: [{ name: 'a', mode: 'x' }] }), 'printers[0].mode must be one of ca, pin')
  t.equal(says({ port: 0 }), 'port must be >= 1')
  t.equal(says({ version: 2 }), 'version must be 1')
})

t.test('a union says in its own words what it takes, not what its first member lacks', async t => {
  for (const code of [5, {}, { env: 1 }, { envv: 'X' }, null]) {
    t.equal(says({ printers: [{ name: 'a', code }] }), 'printers[0].code must be a text, or { "env": NAME }')
  }
})

t.test('an unknown key comes with the nearest known one, or with all', async t => {
  t.equal(says({ pritners: [] }), "unknown key 'pritners'; did you mean 'printers'?")
  t.equal(says({ printers: [{ name: 'a', mdoe: 'ca' }] }), "printers[0]: unknown key 'mdoe'; did you mean 'mode'?")
  t.equal(says({ somethingElse: 1 }), "unknown key 'somethingElse'; known keys: printers, port, nested, version")
  t.equal(validationError(Type.Object({}, { additionalProperties: false }), { a: 1 }), "unknown key 'a'; there are none")
})

t.test('keys that are no words are quoted', async t => {
  const map = Type.Record(Type.String(), Type.Boolean())
  t.equal(validationError(map, { './my-plugin.js': 1 }), "['./my-plugin.js'] must be boolean")
  t.equal(validationError(map, { 'a~b': 1 }), "['a~b'] must be boolean")
  t.equal(validationError(map, { 'plain-one': 1 }), 'plain-one must be boolean')
})

t.test('two schemas with one id live beside each other', async t => {
  const make = () => Type.Object({ a: Type.Number() }, { $id: 'same' })
  t.equal(validationError(make(), { a: 1 }), undefined)
  t.equal(validationError(make(), { a: '' }), 'a must be number')
})

t.test('the value itself never stands in the sentence', async t => {
  const secret = 'k3y-of-the-house'
  t.notMatch(says({ printers: [{ name: 'a', mode: secret }] }), secret)
  t.notMatch(says({ port: secret }), secret)
  t.notMatch(says({ printers: [{ name: 'a', code: { env: 'A', extra: secret } }] }), secret)
})

t.test('a number in JSON can be infinite, and is not a number that a printer takes', async t => {
  const { value } = JSON.parse('{ "value": 1e999 }') as { value: number }
  t.equal(validationError(Type.Object({ value: Type.Number() }), { value }), 'value must be number')
  t.equal(validationError(Type.Object({ value: Type.Integer() }), { value }), 'value must be integer')
})
