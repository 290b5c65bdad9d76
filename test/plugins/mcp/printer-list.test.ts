import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import t from 'tap'
import { printersResource } from '../../../plugins/mcp/resources.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'

t.test('the list of printers changes with each that comes, goes, connects, or meets a problem', async t => {
  const { kernel, name, printer } = await boot(t)
  let changes = 0
  const stop = printersResource.watch?.(kernel, () => { changes++ })
  const fresh = () => {
    const seen = changes
    changes = 0
    return seen
  }
  const config = kernel.printers.config(name)
  if (!config) throw new Error('not configured')
  fresh()
  printer.faults.rejectAccessCode()
  await eventually(() => kernel.printers.get(name)?.problem?.code === 'access_code_rejected', 10_000)
  t.ok(fresh() > 0, 'a problem')
  await kernel.printers.disconnect(name)
  t.ok(fresh() > 0, 'the end of a session')
  await kernel.printers.add({ ...config, name: 'second' })
  t.ok(fresh() > 0, 'a new printer')
  await kernel.printers.disconnect('second')
  fresh()
  await kernel.printers.remove('second')
  t.equal(fresh(), 1, 'one that goes, though it had no session')
  stop?.()
  await kernel.printers.connect(name)
  t.equal(fresh(), 0, 'nothing after the end')
})

t.test('subscribers hear of a printer that is removed, and then it is off the list', async t => {
  const { client, kernel, name } = await boot(t)
  const uri = 'prnd://printers'
  let updates = 0
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    if (params.uri === uri) updates++
  })
  await client.subscribeResource({ uri })
  await kernel.printers.remove(name)
  await eventually(() => updates > 0)
  const listed = async () => {
    const { contents: [content] } = await client.readResource({ uri })
    return JSON.parse((content as { text: string }).text).printers
  }
  await eventually(async () => (await listed()).length === 0)
  t.same(await listed(), [])
})
