import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { ask, ELSEWHERE, logIn, PASSWORD } from '../people/people.js'
import { hashPassword } from '../../../plugins/people/passwords.js'
import { prune } from '../../../plugins/audit/operations.js'

t.setTimeout(240_000)

t.test('who did what by which way, refusals and logins; for administrators only, by pages, without secrets', async t => {
  const { kernel, tool, name } = await boot(t, { models: ['P1S'] })
  const { store } = kernel.services.people
  await store.addUser('Chief', 'administrate', undefined, null)
  await store.addUser('Anna', 'operate', undefined, await hashPassword(PASSWORD))
  const key = await store.addKey({
    name: 'chief', role: 'administrate', printers: undefined, expiresAt: undefined, owner: undefined
  })
  const { cookie } = await logIn(kernel, 'Anna', PASSWORD)
  await logIn(kernel, 'Anna', 'wrong', { from: ELSEWHERE })
  const heat = `/api/set_bed_target_temp?temp=40&printer=${name}`
  t.equal((await ask(kernel, 'PATCH', heat, undefined, { cookie })).status, 200)
  t.equal((await ask(kernel, 'POST', `/api/pause_printing?printer=${name}`, undefined, { cookie })).status, 409)
  await tool('set_chamber_light', { name, on: false, user_permission: true })
  await ask(kernel, 'DELETE', '/api/people/users?name=nobody', undefined, { key })
  const list = async (query = '') => (await ask(kernel, 'GET', `/api/audit${query}`, undefined, { key })).body
  await eventually(async () => (await list()).entries.some(({ act }: { act: string }) => act === 'people.removeUser'))
  const { entries } = await list()
  const said = entries.map(({ who, face, act, outcome }: Record<string, string>) => [who, face, act, outcome].join(' '))
  t.match(said, [
    'key chief http people.removeUser PRN_ERR_NO_USER',
    /^local mcp /,
    /^Anna http print.pause PRN_ERR_/,
    'Anna http climate.setBedTarget done',
    'Anna page login refused',
    'Anna page login done'
  ])
  t.match(entries[4].detail, ELSEWHERE)
  t.equal(entries[3].printer, name)
  t.notMatch(JSON.stringify(entries), new RegExp(`${PASSWORD}|${key}|argon2`))

  const first = await list('?limit=2')
  const second = await list(`?limit=2&cursor=${first.cursor}`)
  t.same([...first.entries, ...second.entries], entries.slice(0, 4))
  t.equal((await list('?who=Anna&act=login')).entries.length, 2)
  t.equal((await list(`?printer_name=${name}`)).entries.length, 3)
  t.equal((await list('?since=2999-01-01T00:00:00Z')).entries.length, 0)
  t.equal((await ask(kernel, 'GET', '/api/audit', undefined, { cookie })).body.error, 'role_too_low')

  await kernel.services.database.query(db => prune(db as never, 0, 3))
  t.equal((await list()).entries.length, 3, 'the newest are kept')
  await kernel.services.database.query(db => prune(db as never, kernel.now() + 1, 1_000))
  t.equal((await list()).entries.length, 0)
})
