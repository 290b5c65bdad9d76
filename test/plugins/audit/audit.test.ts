import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { ask, ELSEWHERE, logIn, PASSWORD } from '../people/people.js'
import { hashPassword } from '../../../plugins/people/passwords.js'
import { entryOf } from '../../../plugins/audit/entry.js'
import { prune } from '../../../plugins/audit/keeping.js'

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
  for (const query of ['?cursor=x', '?cursor=zzzzzzzzz-', '?since=yesterday']) {
    t.equal((await ask(kernel, 'GET', `/api/audit${query}`, undefined, { key })).status, 400, query)
  }
  t.match((await list('?who=Anna&lang=de')).entries.slice(-2), [
    { act: 'login', words: 'sich anmelden', outcome: 'refused', outcome_words: 'abgelehnt' }, { outcome_words: 'geschehen' }
  ])
  t.equal((await list('?who=Anna&act=login')).entries.length, 2)
  t.equal((await list(`?printer_name=${name}`)).entries.length, 3)
  t.equal((await list('?since=2999-01-01T00:00:00Z')).entries.length, 0)
  t.equal((await ask(kernel, 'GET', '/api/audit', undefined, { cookie })).body.error, 'role_too_low')

  await kernel.services.database.query(db => prune(db as never, { keepDays: 36_500, mostEntries: 3 }, kernel.now()))
  t.equal((await list()).entries.length, 3, 'the newest are kept')
  await kernel.services.database.query(db => prune(db as never, { keepDays: 0, mostEntries: 1_000 }, kernel.now() + 1))
  t.equal((await list()).entries.length, 0)
})

t.test('old entries are removed with the first one after a start', async t => {
  const { kernel, tool, name } = await boot(t, { models: ['P1S'], config: { plugins: { audit: { keepDays: 1 } } } })
  const { database } = kernel.services
  const old = { at: kernel.now() - 3 * 86_400_000, who: 'Anna', face: 'http', act: 'print.pause', printer: null, outcome: 'done', detail: null }
  database.put({ table: 'audit_entries', values: { ...old, id: '000000000-old' } })
  const acts = async () => (await ask(kernel, 'GET', '/api/audit', undefined, {})).body.entries.map(({ act }: { act: string }) => act)
  await eventually(async () => (await acts()).join() === 'print.pause')
  await tool('set_chamber_light', { name, on: false, user_permission: true })
  await eventually(async () => !(await acts()).includes('print.pause'))
  t.equal((await acts()).length, 1, 'the new one is there')
})

t.test('uploads, preferences, cleared alerts, log levels and logins with the token are recorded too', async t => {
  const token = 'a-long-token'
  const { kernel, name } = await boot(t, { models: ['P1S'], config: { api: { token } } })
  const headers = { authorization: `Bearer ${token}` }
  const send = (method: 'POST' | 'PATCH' | 'DELETE' | 'GET', url: string, payload?: object | string, more = {}) =>
    kernel.app.inject({ method, url, headers: { ...headers, ...more }, ...(payload !== undefined && { payload }) })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const given of [token, 'wrong']) {
    await kernel.app.inject({ method: 'POST', url: '/login', headers: form, payload: `token=${given}` })
  }
  const boundary = 'x'
  await send('POST', '/api/upload_file_to_host',
    '--x\r\ncontent-disposition: form-data; name="myFile"; filename="a.3mf"\r\n\r\nabc\r\n--x--\r\n',
    { 'content-type': `multipart/form-data; boundary=${boundary}` })
  await send('POST', '/api/queue/files?filename=a.3mf', 'not sliced', { 'content-type': 'application/octet-stream' })
  await send('POST', '/api/user_prefs', { printer: name, key: 'k', value: 1 })
  await send('POST', '/api/set_log_level?level=INFO')
  await send('DELETE', `/api/alerts?printer=${name}`)
  const said = async () => JSON.parse((await send('GET', '/api/audit')).body).entries
    .map(({ who, act, outcome }: Record<string, string>) => `${who} ${act} ${outcome}`) as string[]
  const wanted = ['token login done', 'token login refused', 'token files.storeUpload done', 'token queue.storeFile PRN_ERR_NOT_SLICED',
    'token system.storePreference done', 'token system.setLevel done', 'token alerts.clear done']
  await eventually(async () => (await said()).length >= wanted.length)
  t.same((await said()).sort(), wanted.sort())
})

t.test('an entry says what a call was told to accept', t => {
  const done = { operation: 'projects.print', printer: 'x1c', surface: 'http', caller: 'local', calledAt: 1, note: 'accepts md5_mismatch' } as const
  t.match(entryOf(done, 2), { outcome: 'done', detail: 'accepts md5_mismatch' })
  t.match(entryOf({ ...done, via: 'hub' }, 2, new Error('gone')), { outcome: 'failed', detail: 'for hub: accepts md5_mismatch: gone' })
  t.match(entryOf({ ...done, note: undefined }, 2), { outcome: 'done', detail: null })
  t.end()
})
