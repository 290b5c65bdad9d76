import t from 'tap'
import { Type } from 'typebox'
import { notPrinting } from '../../../core/kernel/state-guards.js'
import { operation, policy } from '../../../core/kernel/operation.js'
import { route } from '../../../core/contributions/route.js'
import { tool } from '../../../core/contributions/tool.js'
import { defineRawTool } from '../../../plugins/mcp/index.js'

const Empty = Type.Object({})
const spec = { name: 'test.do', summary: 'Does it', input: Empty, output: Empty, run: () => ({}) }

t.test('an operation is a frozen value, meant for a printer unless said otherwise', async t => {
  const made = operation({ ...spec, effect: 'read' })
  t.equal(made.scope, 'printer')
  t.equal(operation({ ...spec, effect: 'read', scope: 'daemon' }).scope, 'daemon')
  t.throws(() => { (made as { name: string }).name = 'other' }, TypeError)
})

t.test('what changes a printer must say what follows', async t => {
  for (const effect of ['write', 'destructive'] as const) {
    for (const consequence of [undefined, '', ' ']) {
      t.throws(() => operation({ ...spec, effect, ...(consequence !== undefined && { consequence }) }), {
        message: "Operation 'test.do' changes a printer and must state its consequence"
      })
    }
    t.doesNotThrow(() => operation({ ...spec, effect, consequence: 'It moves.' }))
  }
  for (const effect of ['read', 'local'] as const) t.doesNotThrow(() => operation({ ...spec, effect }))
})

t.test('an effect that is none is refused by name', async t => {
  t.throws(() => operation({ ...spec, effect: 'delete' as 'read' }), {
    message: "Operation 'test.do' has an unknown effect; known are: read, local, write, destructive"
  })
})

t.test('what follows from an effect', async t => {
  t.same(Object.entries(policy).map(([effect, { permission, marker, readOnlyHint, destructiveHint }]) =>
    [effect, permission, marker, readOnlyHint, destructiveHint]), [
    ['read', false, '', true, false], ['local', false, '', false, false],
    ['write', true, '⚠ ', false, false], ['destructive', true, '⚠ ', false, true]
  ])
})

t.test('misspelt members are refused by name, with the one that was meant', async t => {
  const made = operation({ ...spec, effect: 'read' })
  t.throws(() => operation({ ...spec, effect: 'read', acess: 'trusted' } as never),
    { message: /^Operation '.*': unknown member 'acess'; did you mean 'access'\?$/ })
  t.throws(() => route(made, { method: 'GET', path: '/do', writeWith: ['x'] } as never),
    { message: "Route 'GET /do': unknown member 'writeWith'; did you mean 'writesWith'?" })
  t.throws(() => tool(made, { name: 'do_it', permision: false } as never),
    { message: "Tool 'do_it': unknown member 'permision'; did you mean 'permission'?" })
  t.throws(() => defineRawTool({ definition: { name: 'raw' }, effect: 'read', acces: 'trusted', run: () => ({}) } as never),
    { message: "Tool 'raw': unknown member 'acces'; did you mean 'access'?" })
})

t.test('faces carry their operation and are frozen', async t => {
  const made = operation({ ...spec, effect: 'read' })
  const face = route(made, { method: 'GET', path: '/do' })
  t.same([face.method, face.path, face.operation], ['GET', '/do', made])
  t.throws(() => { (face as { path: string }).path = '/x' }, TypeError)
  const named = tool(made, { name: 'do_it', params: Type.Object({ a: Type.Number() }), input: () => ({}) })
  t.same([named.name, named.operation], ['do_it', made])
  t.throws(() => { (named as { name: string }).name = 'x' }, TypeError)
})

t.test('printing is refused, being paused or idle is not; what is not known is', async t => {
  const at = (gcodeState: string, session: object = {}) => ({
    session: { name: 'a1', service: 'CONNECTED', live: true, state: { job: { gcodeState } }, context: {}, ...session },
    kernel: { now: () => 0 }
  }) as unknown as Parameters<typeof notPrinting>[0]
  const made = operation({ ...spec, effect: 'read' })
  for (const state of ['RUNNING', 'PREPARE']) {
    t.throws(() => notPrinting(at(state), made), { code: 'PRN_ERR_PRINTER_BUSY', message: `Blocked: 'a1' is currently ${state}.` })
  }
  for (const state of ['PAUSE', 'IDLE', 'FINISH', 'FAILED', 'SLICING']) t.doesNotThrow(() => notPrinting(at(state), made))
  const unknown = { code: 'PRN_ERR_STATE_NOT_CURRENT', statusCode: 409 }
  t.throws(() => notPrinting(at('IDLE', { service: 'PAUSED' }), made), { ...unknown, message: /its session is paused\. Resume it/ })
  t.throws(() => notPrinting(at('IDLE', { live: false }), made), { ...unknown, message: /has not reported its state yet/ })
  t.throws(() => notPrinting(at('IDLE', { live: false, lastMessageAt: 1 }), made), { ...unknown, message: /has stopped reporting/ })
  for (const service of ['NO_STATE', 'DISCONNECTED', 'QUIT']) {
    t.throws(() => notPrinting(at('IDLE', { service, live: false }), made), { code: 'PRN_ERR_NOT_CONNECTED', statusCode: 400 })
  }
})
