// What the guide for Home Assistant reads and calls is there, by those names.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../helpers/boot.js'

const GUIDE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guides', 'home-assistant.md'), 'utf8')
const NAME = 'workshop'

t.test('every value that a sensor shows', async t => {
  const { http } = await boot(t, { models: [{ model: 'P1S', name: NAME }] })
  const resources = GUIDE.split(/^ {2}- resource: /m).slice(1)
  t.equal(resources.length, 2)
  for (const resource of resources) {
    const [, path = ''] = /^http:\/\/[\d.:]+(\/api\/\S+)/.exec(resource) ?? []
    const { body } = await http('GET', path)
    const values = [...resource.matchAll(/value_json((?:\.\w+)+)/g)].map(([, value = '']) => value.slice(1))
    t.ok(values.length >= 2, path)
    for (const value of values) {
      const found = value.split('.').reduce<unknown>((from, key) => (from as Record<string, unknown> | undefined)?.[key], body)
      t.not(found, undefined, value)
    }
  }
})

t.test('a printer that is offline', async t => {
  const { http, kernel, printer } = await boot(t, { models: [{ model: 'P1S', name: NAME }] })
  printer.faults.rejectAccessCode()
  await kernel.printers.connect(NAME)
  t.equal((await http('GET', '/api/printer', { printer: NAME })).status, 304)
  t.match(await http('GET', '/api/session_status', { printer: NAME }), { status: 200, body: { connected: false, recent_update: false } })
})

t.test('every command', async t => {
  const { http } = await boot(t, { models: [{ model: 'P1S', name: NAME }] })
  const commands = [...GUIDE.matchAll(/url: http:\/\/[\d.:]+(\/api\/\w+)\?(\S+?)(?:\{\{[^}]*\}\})?\n\s+method: (\w+)/g)]
  t.equal(commands.length, 2)
  for (const [, path = '', query = '', method] of commands) {
    const fields = Object.fromEntries(new URLSearchParams(query))
    if (fields.state === '') fields.state = 'on'
    const { status, body } = await http(method as 'PATCH', path, fields)
    t.ok([200, 409].includes(status), `${method} ${path}: ${JSON.stringify(body)}`) // nothing to pause
  }
})

t.test('every topic', async t => {
  const { http } = await boot(t, { models: [] })
  const [, topics = ''] = /topics=([\w,]+)/.exec(GUIDE) ?? []
  const { status, text } = await http('GET', '/api/live', { printer: NAME, topics: `${topics},nonsense` })
  t.equal(status, 400)
  t.match(text, /got 'nonsense'/, 'the others are known')
})
