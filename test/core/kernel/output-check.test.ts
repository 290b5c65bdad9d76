import t from 'tap'
import { Type, type TSchema } from 'typebox'
import { createOutputCheck } from '../../../core/kernel/output-check.js'
import { definePlugin, operation, route } from '../../../core/index.js'
import { createManualClock } from '../../../presets/testing/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'

const Output = Type.Object({ celsius: Type.Integer(), deep: Type.Optional(Type.Object({ on: Type.Boolean() })) })
const withOutput = (output: TSchema) => operation({
  name: 'glow.read', summary: 'Test', effect: 'read', input: Type.Object({}), output, run: () => undefined as never
})

function checking (strict: boolean) {
  const clock = createManualClock()
  const logged: unknown[] = []
  const entries = { warn: (entry: unknown) => { logged.push(entry) } }
  const check = createOutputCheck({ strict, now: clock.now, log: entries as never })
  return { check, logged, clock }
}

t.test('in tests, a call whose answer does not fit fails', async t => {
  const { check } = checking(true)
  const cases: readonly [TSchema, unknown, RegExp | undefined][] = [
    [Output, { celsius: 5 }, undefined],
    [Output, { celsius: 5, deep: { on: true } }, undefined],
    [Output, { celsius: 5.5 }, /^The answer of 'glow\.read' does not fit its output schema: celsius must be integer$/],
    [Output, {}, /'celsius' is required/],
    [Output, { celsius: 5, secret: 'x' }, /unknown key 'secret'/],
    [Output, { celsius: 5, deep: { on: true, off: false } }, /deep: unknown key 'off'/],
    [Output, undefined, /must be object/],
    [Type.Object({ any: Type.Object({}, { additionalProperties: true }) }), { any: { x: 1 } }, undefined],
    [Type.Record(Type.String(), Type.Integer()), { a: 1 }, undefined],
    [Type.Union([Output, Type.Undefined()]), undefined, undefined],
    [Type.Union([Output, Type.Null()]), undefined, /must be/],
    [Type.Any(), undefined, undefined],
    [Type.Object({ png: Type.Unsafe({ type: 'string', format: 'binary' }) }), { png: Buffer.from('x') }, undefined],
    [Type.Unsafe({ type: 'nonsense' }), {}, /the schema is invalid/]
  ]
  for (const [schema, output, problem] of cases) {
    const work = () => check(withOutput(schema), output)
    if (problem === undefined) t.doesNotThrow(work, JSON.stringify(output))
    else t.throws(work, { code: 'PRN_ERR_OUTPUT', message: problem }, JSON.stringify(output))
  }
})

t.test('outputs are not changed, not even by defaults', async t => {
  const { check } = checking(true)
  const output = Object.freeze({})
  check(withOutput(Type.Object({ a: Type.Optional(Type.Integer({ default: 5 })) })), output)
  t.same(output, {})
})

t.test('in service a mismatch is logged once, and one answer a minute is checked', async t => {
  const { check, logged, clock } = checking(false)
  const read = withOutput(Output)
  const other = operation({ ...read, name: 'glow.other' })
  check(read, { celsius: 5 })
  check(read, { celsius: 'not checked, as it comes within the same minute' })
  clock.advance(60_000)
  check(read, { celsius: 5, secret: 'x' })
  await eventually(() => logged.length === 1)
  clock.advance(600_000)
  check(read, {})
  check(other, {})
  await eventually(() => logged.length === 2)
  t.match(logged, [
    { operation: 'glow.read', problem: /unknown key 'secret'/ }, { operation: 'glow.other', problem: "'celsius' is required" }
  ])
})

t.test('the test kit fails the call of a plugin that answers something else, a service does not', async t => {
  const plugin = definePlugin({
    name: 'glow',
    version: '1.0.0',
    kernel: '*',
    contributes: {
      routes: [route(operation({
        name: 'glow.read',
        summary: 'Test',
        effect: 'read',
        scope: 'daemon',
        input: Type.Object({}),
        output: Output,
        run: () => ({ celsius: 'warm' }) as never
      }), { method: 'GET', path: '/glow' })]
    }
  })
  const strict = await boot(t, { models: [], plugins: [plugin] })
  t.match(await strict.http('GET', '/api/glow'), { status: 500, text: /output/ })
  const service = await boot(t, { models: [], plugins: [plugin], dependencies: { strictOutputs: false } })
  t.match(await service.http('GET', '/api/glow'), { status: 200, body: { celsius: 'warm' } })
})
