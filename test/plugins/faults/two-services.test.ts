import t from 'tap'
import { createIgnoredFaults } from '../../../plugins/faults/ignored-faults.js'
import { openFileStore } from '../../../plugins/faults/store.js'
import { testFolder } from '../../helpers/folder.js'

const CODE = 'HMS_0300-0700-0001-0003'

function session () {
  const context = { ignoredFaults: [] as readonly string[] }
  const ignoreFaults = (codes: readonly string[]) => { context.ignoredFaults = codes }
  return { name: 'x1c', config: { serial: 'S' }, context, ignoreFaults } as never as Parameters<ReturnType<typeof createIgnoredFaults>['ignore']>[0]
}

t.test('what one service ignores, or not any more, the other one learns', async t => {
  const store = await openFileStore(testFolder(t), message => t.fail(message))
  const [here, there] = [createIgnoredFaults(store), createIgnoredFaults(store)]
  const [own, other] = [session(), session()]
  await here.ignore(own, { code: CODE, since: 1, by: 'http (anna)' })
  t.same(other.context.ignoredFaults, [])
  await there.refresh([other])
  t.same(other.context.ignoredFaults, [CODE])
  await here.restore(own, CODE)
  await there.refresh([other])
  t.same(other.context.ignoredFaults, [])

  const slow = createIgnoredFaults({
    ...store,
    async all () {
      const before = await store.all()
      await slow.ignore(own, { code: CODE, since: 2, by: 'http (anna)' })
      return before
    }
  })
  await slow.refresh([own])
  t.same(own.context.ignoredFaults, [CODE], 'a reading that began before a change does not undo it')
})
