import t from 'tap'
import { createPluginFaults } from '../../../../core/kernel/plugin-faults.js'
import { detectionInputs } from '../../../../plugins/health/inputs.js'
import { defineHealthDetector, type Frame, type JobContext } from '../../../../plugins/health/index.js'

const FRAME: Frame = { jpeg: Buffer.alloc(0), capturedAt: 0 }
const CONTEXT = {} as JobContext
const ABOUT = { signal: new AbortController().signal, printer: 'p1s', job: 1, remember: true }
const calm = defineHealthDetector({ name: 'calm', detect: async () => ({ score: 0.1 }) })

function begin () {
  const told: string[] = []
  const pluginFaults = createPluginFaults({
    outside: new Set(['odd']), now: () => 0, log: { error: (_: unknown, text: string) => { told.push(text) } } as never
  })
  return { told, pluginFaults, partOf: ({ name }: { name: string }) => pluginFaults.guard('odd', 'health detector', name) }
}

t.test('one that throws, and one with a score that is none, are told of and leave the others alone', async t => {
  const { pluginFaults, partOf, told } = begin()
  const throws = defineHealthDetector({ name: 'throws', detect: () => { throw new Error('boom') } })
  const wrong = defineHealthDetector({ name: 'wrong', detect: async () => ({ score: 7 }) })
  const found = await detectionInputs([throws, wrong, calm], FRAME, CONTEXT, ABOUT, partOf)
  t.same(found, [{ score: 0.1 }])
  t.match(pluginFaults.faults('odd'), [
    { part: "health detector 'throws'", message: 'boom', count: 1 },
    { part: "health detector 'wrong'", message: 'the score 7 is not from 0 to 1' }
  ])
  t.match(told[0], "health detector 'throws' of plugin 'odd' failed")
})

t.test('the time that one had which threw at once ends later, and nobody is in its way', async t => {
  const late = new AbortController()
  t.intercept(AbortSignal, 'timeout', { value: () => late.signal })
  const unheeded: unknown[] = []
  const note = (reason: unknown) => { unheeded.push(reason) }
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const throws = defineHealthDetector({ name: 'throws', detect: () => { throw new Error('boom') } })
  t.same(await detectionInputs([throws], FRAME, CONTEXT, ABOUT, begin().partOf), [])
  late.abort()
  await new Promise(resolve => setTimeout(resolve, 10))
  t.same(unheeded, [])
})

t.test('one that goes on failing is asked no more', async t => {
  const { pluginFaults, partOf } = begin()
  let asked = 0
  const throws = defineHealthDetector({ name: 'throws', detect: async () => { asked++; throw new Error('boom') } })
  for (let at = 0; at < 25; at++) await detectionInputs([throws], FRAME, CONTEXT, ABOUT, partOf)
  t.equal(asked, 20)
  t.match(pluginFaults.faults('odd'), [{ count: 20, cutOff: true }])
})

t.test('who is interrupted is not to blame', async t => {
  const { pluginFaults, partOf } = begin()
  const abort = new AbortController()
  const slow = defineHealthDetector({ name: 'slow', detect: () => new Promise(() => {}) })
  const asked = detectionInputs([slow, calm], FRAME, CONTEXT, { ...ABOUT, signal: abort.signal }, partOf)
  abort.abort(new Error('the service ends'))
  t.same(await asked, [{ score: 0.1 }])
  t.same(pluginFaults.faults('odd'), [])
})
