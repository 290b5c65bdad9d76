import t from 'tap'
import { inspect } from 'node:util'
import { createServices } from '../../../core/kernel/services.js'

type Any = Record<string, unknown>

t.test('what one provides the others read', async t => {
  const { view, provide } = createServices()
  const heater = { duty: () => 1 }
  provide('heater', heater, 'chamber-heater')
  t.equal((view as Any).heater, heater)
})

t.test('reading what nobody provides throws and names it', async t => {
  const { view } = createServices()
  t.throws(() => (view as Any).heater, {
    code: 'PRN_ERR_NO_SERVICE', message: "No plugin provides the service 'heater'"
  })
  t.throws(() => (({ heater }: Any) => heater)(view as Any), { code: 'PRN_ERR_NO_SERVICE' })
})

t.test('providing twice throws and names both', async t => {
  const { provide } = createServices()
  provide('heater', {}, 'one')
  t.throws(() => provide('heater', {}, 'two'), {
    code: 'PRN_ERR_DUPLICATE', message: "Service 'heater' is defined twice: by 'one' and by 'two'"
  })
})

t.test('whether there is one can be asked', async t => {
  const { view, provide } = createServices()
  provide('heater', {}, 'one')
  t.ok('heater' in view)
  t.notOk('cooler' in view)
  t.same(Object.keys(view), ['heater'])
})

t.test('names from every object are no services', async t => {
  const { view } = createServices()
  t.throws(() => (view as Any).constructor, { code: 'PRN_ERR_NO_SERVICE' })
  t.notOk('toString' in view)
})

t.test('the view may be awaited, written out and looked at', async t => {
  const { view, provide } = createServices()
  provide('heater', { watts: 5 }, 'one')
  t.equal(await (async () => view)(), view)
  t.equal(JSON.stringify(view), '{"heater":{"watts":5}}')
  t.doesNotThrow(() => inspect(view))
})

t.test('an optional service is there once it is provided, and undefined before and without', async t => {
  const { optional, provide } = createServices()
  t.equal((optional as Any).heater, undefined)
  provide('heater', { watts: 5 }, 'one')
  t.same((optional as Any).heater, { watts: 5 })
  t.equal((optional as Any).cooler, undefined)
  t.same(Object.keys(optional), ['heater'])
})
