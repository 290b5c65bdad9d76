import t, { type Test } from 'tap'
import { createKernel, definePlugin, definePreset } from '../../../core/index.js'
import database from '../../../plugins/database/index.js'
import { createStore, type PeopleStore } from '../../../plugins/people/store.js'
import { migrations } from '../../../plugins/people/tables.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'

const tables = definePlugin({
  name: 'people', version: '1.0.0', kernel: '^2.0.0', needs: ['database'], contributes: { migrations }
})

async function startStore (t: Test, url: string): Promise<PeopleStore> {
  const preset = definePreset({ name: 'test', plugins: [[database, { url }], tables] })
  const kernel = await createKernel(preset, { dataDir: testFolder(t), log: { file: false }, printers: [] })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  return createStore({ database: kernel.services.database, now: Date.now, onChange () {} })
}

const settledAll = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).flatMap(result => result.status === 'rejected' ? [result.reason as { code: string }] : [])

t.test('services of one PostgreSQL that change people at one moment', { skip: withoutPostgres }, async t => {
  const postgres = await startPostgres(t)
  const url = postgres.newDatabase()
  const stores = await Promise.all([startStore(t, url), startStore(t, url), startStore(t, url)])
  const [one, two] = stores as [PeopleStore, PeopleStore, PeopleStore]
  await one.read() // the tables are made once

  await t.test('somebody whose first logins come together is one user', async t => {
    for (let round = 0; round < 10; round++) {
      const user = { foreignId: `issuer ${round}`, name: `user${round}`, role: 'operate', setsRole: true } as const
      const entered = await Promise.all(stores.map(store => store.provision(user)))
      t.equal(new Set(entered.map(({ id }) => id)).size, 1)
      await Promise.all(stores.map((store, at) => store.begin(entered[at]?.id ?? '')))
    }
    t.equal((await one.read()).users.length, 10)
    t.equal((await one.read()).sessions.length, 30)
  })

  await t.test('of two of one name one is refused', async t => {
    for (let round = 0; round < 10; round++) {
      const refusals = await settledAll(stores.map(store => store.addUser(`twin${round}`, 'administrate', undefined, 'hash')))
      t.same(refusals.map(({ code }) => code), ['PRN_ERR_NAME_TAKEN', 'PRN_ERR_NAME_TAKEN'])
    }
  })

  await t.test('two administrators who take the right from each other leave one', async t => {
    for (const { name } of (await one.read()).users.filter(user => user.name.startsWith('twin')).slice(2)) {
      await one.removeUser(name, false)
    }
    const left = (await one.read()).users.filter(({ role }) => role === 'administrate').map(({ name }) => name)
    t.same(left, ['twin0', 'twin1'])
    for (let round = 0; round < 10; round++) {
      const refusals = await settledAll([
        one.changeUser('twin0', { role: 'view' }, false), two.changeUser('twin1', { role: 'view' }, false)
      ])
      t.same(refusals.map(({ code }) => code), ['PRN_ERR_LAST_ADMINISTRATOR'])
      for (const name of left) await one.changeUser(name, { role: 'administrate' }, false)
    }
  })
})
