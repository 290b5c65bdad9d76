import t from 'tap'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { bootHub, bootNode } from './fleet.js'
import { HUB_KEY } from './keys.js'

t.test('a key of the hub pays for what a node prints', { skip: NO_NATS }, async t => {
  const { url } = await startNats(t)
  const node = await bootNode(t, { servers: [url], site: 'hall', node: 'a', hubKeys: [HUB_KEY.publicKey] }, {
    models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 100, sdCard: { samples: true } }]
  })
  const { kernel } = await bootHub(t, { servers: [url] }, ['x1c'])
  const { people } = kernel.services
  const key = await people.store.addKey({
    name: 'robot',
    role: 'operate',
    printers: undefined,
    expiresAt: undefined,
    owner: undefined,
    budget: { prints: { most: 1, per: 'life' }, grams: { most: 500, per: 'life' } }
  })
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await kernel.app.inject({ method, url, headers, ...(payload && { payload }) })
    return answer.json() as Record<string, any>
  }
  const print = {
    filename: '/calibration-cube.gcode.3mf', use_ams: true, accept_mismatch: true, printer: 'x1c'
  }
  const tried = await ask('POST', '/api/print_3mf?dry_run=true', print)
  t.match(tried, {
    dry_run: true, printer: 'x1c', checked: /plate.*budget, of which are left: 1 of 1 prints/, sends: [{ command: 'project_file' }]
  })
  t.ok(tried.cost.grams > 0, 'what the node read from the plate')
  t.match(tried.unchecked, ['whether the printer accepts it'])
  const starts = () => node.printer.requests.filter(({ command }) => command === 'project_file').length
  t.equal(starts(), 0)
  t.match(await ask('POST', '/api/print_3mf', print), { status: 'success' })
  t.equal(starts(), 1)
  const { budget } = await ask('GET', '/api/people/me')
  t.match(budget, { prints: { used: 1, left: 0 } })
  t.ok(budget.grams.used > 0, 'the node was asked what the plate takes')
  t.match(await ask('POST', '/api/print_3mf', print), { error: 'over_budget' })
  t.match(await ask('POST', '/api/print_3mf?dry_run=true', print), { error: 'over_budget' })
  t.equal(starts(), 1, 'the node heard nothing of it')
})
