import t from 'tap'
import {
  BadConfig, BadInput, JobActive, NotConnected, PluginSetup, PortsExhausted, PrinterBusy, Refused, defineError,
  errorCatalogue, isBlocked, isServiceError, sentenceOf, type AnyErrorClass
} from '../../core/errors.js'
import * as kernelErrors from '../../core/errors.js'
import '../../presets/daemon/index.js'

/** Something for each placeholder of a template, of its kind. */
const argumentsFor = ({ template }: AnyErrorClass): unknown[] =>
  (template.match(/%[sd]/g) ?? []).map((kind, at) => kind === '%d' ? at + 1 : `part${at}`)

t.test('every error of the catalogue can be made, reads as a sentence and has a status', async t => {
  const catalogue = errorCatalogue()
  t.ok(catalogue.length >= 24, `${catalogue.length} errors`)
  for (const Known of catalogue) {
    const error = new Known(...argumentsFor(Known))
    t.match(Known.code, /^PRN_ERR_[A-Z0-9_]+$/)
    t.ok(isServiceError(error), `${Known.code} is an error of ours`)
    t.ok(error instanceof Error)
    t.equal(error.code, Known.code)
    t.equal(error.slug, Known.code.slice(8).toLowerCase())
    t.equal(error.statusCode, Known.statusCode)
    // One body that says what is wrong is promised with 200.
    t.ok((Known.statusCode >= 400 && Known.statusCode < 600) || Known.code === 'PRN_ERR_NOTHING_RECORDED', Known.code)
    t.notMatch(error.message, /%[sd]|undefined/, `${Known.code} has all its parts: ${error.message}`)
    for (const part of argumentsFor(Known)) t.ok(error.message.includes(String(part)), `${Known.code} says ${part}`)
  }
})

t.test('codes are unique, and the catalogue is in their order', async t => {
  const codes = errorCatalogue().map(({ code }) => code)
  t.equal(new Set(codes).size, codes.length)
  t.same(codes, [...codes].sort((a, b) => a.localeCompare(b)))
})

t.test('every error class the kernel exports is in the catalogue', async t => {
  const classes = Object.values(kernelErrors).filter(value => typeof value === 'function' && 'template' in value)
  t.ok(classes.length >= 20, `${classes.length} classes`)
  for (const known of classes as unknown as AnyErrorClass[]) t.ok(errorCatalogue().includes(known), known.code)
})

t.test('a code that is taken cannot be defined again', async t => {
  t.throws(() => defineError('PRN_ERR_NOT_CONNECTED', 'other words'), { message: /PRN_ERR_NOT_CONNECTED is defined twice/ })
})

t.test('an outside error takes part in everything', async t => {
  const Cold = defineError<[celsius: number]>('PRN_ERR_TEST_COLD', 'Only %d °C', 409)
  const error = new Cold(12)
  t.match(error, { message: 'Only 12 °C', code: 'PRN_ERR_TEST_COLD', slug: 'test_cold', statusCode: 409, name: 'ServiceError' })
  t.ok(errorCatalogue().includes(Cold))
  t.ok(error instanceof Cold)
  t.notOk(new BadInput('x') instanceof Cold)
})

t.test('500 is the status where none is given', async t => {
  t.equal(new BadConfig('x').statusCode, 500) // defining one here would show in the reference that others print
})

t.test('placeholders inside an argument stay as they are', async t => {
  t.equal(new BadInput('100 %s of %d').message, '100 %s of %d')
  t.equal(new Refused('a1', 'to move', '%o').message, "'a1' refused to move: %o")
})

t.test('members added to the body accumulate', async t => {
  const error = new BadInput('no').with({ path: '/a' }).with({ detail: 'b' })
  t.same(error.extra, { path: '/a', detail: 'b' })
  t.same(new BadInput('no').extra, {})
})

t.test('the cause is kept and does not show in the message', async t => {
  const cause = new Error('beneath')
  const error = new PluginSetup('heater', 'boom', { cause })
  t.equal(error.cause, cause)
  t.equal(error.message, "Setup of plugin 'heater' failed: boom")
})

t.test('errors of another copy of the package are told by their code', async t => {
  t.ok(isServiceError(Object.assign(new Error('x'), { code: 'PRN_ERR_FOREIGN' })))
  t.notOk(isServiceError(Object.assign(new Error('x'), { code: 'ENOENT' })))
  t.notOk(isServiceError({ code: 'PRN_ERR_FOREIGN' }))
  t.notOk(isServiceError(undefined))
})

t.test('a blocked act is named by what was asked for', async t => {
  const busy = new PrinterBusy('a1', 'RUNNING')
  t.equal(sentenceOf(busy, 'send_gcode'), "Blocked: 'a1' is currently RUNNING. send_gcode is not safe while a print is " +
    'active. Wait for the print to finish, pause it first, or cancel it.')
  t.equal(sentenceOf(busy, undefined), busy.message)
  t.equal(sentenceOf(new JobActive('a1', 'PREPARE'), 'print_3mf'), "Blocked: 'a1' is currently PREPARE. print_3mf is not " +
    'safe while a print is active. Wait for the print to finish, or cancel it.', 'a pause would not help')
  t.same([busy, new JobActive('a1', 'PREPARE'), new NotConnected('a1')].map(isBlocked), [true, true, false])
  t.equal(sentenceOf(new NotConnected('a1'), 'send_gcode'), "Printer 'a1' not connected")
})

t.test('the messages of the start name what to change', async t => {
  t.equal(new PortsExhausted('api', 1, 2).message, "No free port for 'api': every port from 1 to 2 is taken. Free one, " +
    'or widen the pool with PRN_PORT_POOL_START and PRN_PORT_POOL_END.')
  t.equal(new BadConfig('ports.end must not be below ports.start').message, 'ports.end must not be below ports.start')
})
