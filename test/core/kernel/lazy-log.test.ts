import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import t from 'tap'
import { lazyChild } from '../../../core/kernel/lazy-log.js'

function parent () {
  const lines: Record<string, unknown>[] = []
  let children = 0
  const root = pino({ level: 'info', base: null, timestamp: false },
    { write: line => { lines.push(JSON.parse(line) as Record<string, unknown>) } })
  const log = new Proxy(root, {
    get (target, name) {
      if (name === 'child') children++
      return Reflect.get(target, name) as unknown
    }
  }) as FastifyBaseLogger
  return { log, lines, made: () => children }
}

t.test('a child that writes nothing is never made', async t => {
  const { log, lines, made } = parent()
  const child = lazyChild(log, { reqId: 'a' }, {})
  t.type(child.error, 'function')
  t.equal(made(), 0)
  t.same(lines, [])
})

t.test('its lines carry what it was bound to, its children too', async t => {
  const { log, lines, made } = parent()
  const child = lazyChild(log, { reqId: 'a' }, {})
  child.info({ printer: 'p' }, 'one')
  child.error(new Error('two'))
  child.debug('below the level')
  t.equal(made(), 1, 'made once')
  child.child({ module: 'm' }).warn('three')
  t.match(lines, [
    { level: 30, reqId: 'a', printer: 'p', msg: 'one' },
    { level: 50, reqId: 'a', msg: 'two' },
    { level: 40, reqId: 'a', module: 'm', msg: 'three' }
  ])
  t.equal(child.level, 'info')
  child.level = 'debug'
  child.debug('four')
  t.match(lines[3], { reqId: 'a', msg: 'four' })
})
