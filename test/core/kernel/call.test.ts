import t, { type Test } from 'tap'
import { Type } from 'typebox'
import {
  BadInput, createKernel, defineError, definePreset, operation, type Guard, type Kernel, type OperationDone,
  type OperationSpec, type Progress, type Scope
} from '../../../core/index.js'
import { fakeSession } from './fake-session.js'
import { testFolder } from '../../helpers/folder.js'

const Input = Type.Object({ celsius: Type.Integer(), note: Type.String({ default: 'none' }) })

async function start (t: Test, config: object = {}): Promise<Kernel> {
  const printer = (name: string) => ({ name, host: 'h', serial: `S-${name}`, accessCode: '12345678' })
  const kernel = await createKernel(definePreset({ name: 'test', plugins: [] }),
    { dataDir: testFolder(t), log: { file: false }, printers: [printer('a'), printer('b')], ...config },
    { createSession: config => fakeSession(config) })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  return kernel
}

const make = <S extends Scope = 'printer'> (spec: Partial<OperationSpec<S, typeof Input, ReturnType<typeof Type.Any>>>) =>
  operation({ name: 'test.op', summary: 'Test', effect: 'read', input: Input, output: Type.Any(), run: () => undefined, ...spec })

t.test('input is checked strictly before anything runs, and gets its defaults', async t => {
  const kernel = await start(t)
  let ran = 0
  const op = make({ run: (_, input) => { ran++; return input } })
  await t.rejects(kernel.call(op, { celsius: '60' } as never), { code: 'PRN_ERR_BAD_INPUT', message: 'celsius must be integer', statusCode: 400 })
  await t.rejects(kernel.call(op, {} as never), { message: "'celsius' is required" })
  t.equal(ran, 0)
  t.same(await kernel.call(op, { celsius: 60 } as never), { celsius: 60, note: 'none' })
})

t.test('an operation is given no member that its schema lacks', async t => {
  const kernel = await start(t)
  const seen: unknown[] = []
  const input = { celsius: 60, note: 'n', user_permission: true, id: 'x' }
  await kernel.call(make({ run: (_, given) => { seen.push(given) } }), input)
  await kernel.call(make({ scope: 'daemon', effect: 'write', consequence: 'None.', run: (_, given) => { seen.push(given) } }), input)
  t.same(seen, [{ celsius: 60, note: 'n' }, { celsius: 60, note: 'n' }])
  const open = operation({
    name: 'test.open',
    summary: 'Test',
    effect: 'read',
    input: Type.Object({}, { additionalProperties: true }),
    output: Type.Any(),
    run: (_, given) => given
  })
  t.same(await kernel.call(open, input), input, 'unless the schema takes any')
})

t.test('the printer is the one named, else the default one', async t => {
  const op = make({ run: ({ session }) => session.name })
  const input = { celsius: 1, note: '' }
  const first = await start(t)
  t.equal(await first.call(op, input), 'a')
  t.equal(await first.call(op, input, { printer: 'b' }), 'b')
  await t.rejects(first.call(op, input, { printer: 'c' }), { code: 'PRN_ERR_NOT_CONNECTED', message: "Printer 'c' not connected" })
  const second = await start(t, { defaultPrinter: 'b' })
  t.equal(await second.call(op, input), 'b')
})

t.test('bad input is told before a missing printer is', async t => {
  const kernel = await start(t)
  await t.rejects(kernel.call(make({}), {} as never, { printer: 'none' }), { code: 'PRN_ERR_BAD_INPUT' })
})

t.test('an operation of the service needs no printer', async t => {
  const kernel = await start(t, { printers: [] })
  const op = make<'daemon'>({ scope: 'daemon', run: context => [context.kernel, (context as { session?: unknown }).session] })
  const [seen, session] = await kernel.call(op, { celsius: 1, note: '' }) as unknown[]
  t.equal(seen, kernel)
  t.equal(session, undefined)
})

t.test('guards are asked in order, and the first that refuses decides', async t => {
  const kernel = await start(t)
  const Cold = defineError<[printer: string]>('PRN_ERR_TEST_CHILLED', "'%s' is cold", 409)
  const asked: string[] = []
  const pass: Guard = ({ session }, { name }) => { asked.push(`${session.name} ${name}`) }
  const refuse: Guard = ({ session }) => { throw new Cold(session.name) }
  const never: Guard = () => { asked.push('never') }
  const op = make({ guards: [pass, refuse, never], run: () => { asked.push('ran') } })
  await t.rejects(kernel.call(op, { celsius: 1, note: '' }), { code: 'PRN_ERR_TEST_CHILLED', message: "'a' is cold" })
  t.same(asked, ['a test.op'])
})

t.test('a guard that takes its time is waited for', async t => {
  const kernel = await start(t)
  let ran = false
  const slow: Guard = async () => {
    await new Promise(resolve => setImmediate(resolve))
    throw new BadInput('refused in the end')
  }
  await t.rejects(kernel.call(make({ guards: [slow], run: () => { ran = true } }), { celsius: 1, note: '' }), { message: 'refused in the end' })
  t.notOk(ran)
})

t.test('the signal ends with the caller or with the service, whichever is first', async t => {
  const kernel = await start(t)
  const waits = make({
    run: ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const caller = new AbortController()
  const gone = kernel.call(waits, { celsius: 1, note: '' }, { signal: caller.signal })
  caller.abort(new Error('the caller went away'))
  await t.rejects(gone, { message: 'the caller went away' })
  const here = kernel.call(waits, { celsius: 1, note: '' }, { signal: new AbortController().signal })
  const alone = kernel.call(waits, { celsius: 1, note: '' })
  void kernel.close()
  await t.rejects(here, { code: 'PRN_ERR_SHUTTING_DOWN' })
  await t.rejects(alone, { code: 'PRN_ERR_SHUTTING_DOWN' })
})

t.test('the signal is the same however often it is asked for', async t => {
  const kernel = await start(t)
  const op = make({ run: context => [context.signal, context.signal] })
  const caller = new AbortController()
  const [first, second] = await kernel.call(op, { celsius: 1, note: '' }, { signal: caller.signal }) as unknown[]
  t.type(first, AbortSignal)
  t.equal(first, second)
  const [alone] = await kernel.call(op, { celsius: 1, note: '' }) as unknown[]
  t.equal(alone, kernel.signal)
})

t.test('progress reaches whoever asked, and nobody otherwise', async t => {
  const kernel = await start(t)
  const op = make({ run: ({ progress }) => { progress(1, 2, 'half'); progress(2) } })
  const seen: unknown[] = []
  const progress: Progress = (...args) => { seen.push(args) }
  await kernel.call(op, { celsius: 1, note: '' }, { progress })
  t.same(seen, [[1, 2, 'half'], [2]])
  await t.resolves(kernel.call(op, { celsius: 1, note: '' }))
})

t.test("the log is the caller's, else that of the service", async t => {
  const kernel = await start(t)
  const op = make({ run: ({ log }) => log })
  t.equal(await kernel.call(op, { celsius: 1, note: '' }), kernel.logs.root)
  const own = kernel.logs.child('service', { request: 1 })
  t.equal(await kernel.call(op, { celsius: 1, note: '' }, { log: own }), own)
})

t.test('what run throws comes through as it is', async t => {
  const kernel = await start(t)
  const error = new Error('own')
  await t.rejects(kernel.call(make({ run: () => { throw error } }), { celsius: 1, note: '' }), error)
  await t.rejects(kernel.call(make({ run: () => Promise.reject(error) }), { celsius: 1, note: '' }), error)
})

t.test('nothing runs after the end', async t => {
  const kernel = await start(t)
  await kernel.close()
  await t.rejects(kernel.call(make({}), { celsius: 1, note: '' }), { code: 'PRN_ERR_SHUTTING_DOWN', statusCode: 503 })
})

t.test('what acts on a printer is told when it has succeeded, with who asked; what reads or fails is not', async t => {
  const kernel = await start(t)
  const told: OperationDone[] = []
  kernel.events.on('operation:done', done => { told.push(done) })
  const input = { celsius: 1, note: '' }
  const act = { effect: 'write', consequence: 'It is set.' } as const
  await kernel.call(make({ name: 'test.set', ...act }), input, { printer: 'b', caller: 'token', surface: 'http' })
  await kernel.call(make({ name: 'test.all', ...act, scope: 'daemon' }), input)
  await kernel.call(make({ name: 'test.read' }), input)
  await t.rejects(kernel.call(make({ name: 'test.bad', ...act, run: () => { throw new Error('no') } }), input))
  t.match(told, [
    { operation: 'test.set', printer: 'b', surface: 'http', caller: 'token', calledAt: Number },
    { operation: 'test.all', printer: undefined, surface: undefined, caller: undefined, calledAt: Number }
  ])
  t.equal(told.length, 2)
})
