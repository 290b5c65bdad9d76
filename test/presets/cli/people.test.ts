import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { lockFolder } from '../../../core/index.js'
import { listUsers } from '../../../presets/cli/commands/people.js'
import { testFolder } from '../../helpers/folder.js'

const said: string[] = []
t.context = { log: console.log, error: console.error }
console.log = text => { said.push(String(text)) }
console.error = () => {}
t.teardown(() => Object.assign(console, t.context))

t.test('people are not changed beneath a service that was not found', async t => {
  const folder = testFolder(t, { 'other.json': JSON.stringify({ dataDir: 'data', api: { host: '127.0.0.1' } }) })
  const options = { config: join(folder, 'other.json'), json: true }
  const service = await lockFolder(join(folder, 'data'), new AbortController().signal)
  await t.rejects(listUsers(options), { code: 'PRN_ERR_SERVICE', message: /with another configuration: nothing was done.*--config/ })
  t.same(await readdir(join(folder, 'data')), ['service.json'])
  await service.release()
  said.length = 0 // other files of the folder share the process
  await listUsers(options)
  t.match(said, [/"users": \[\]/])
  t.notOk((await readdir(join(folder, 'data'))).includes('service.json'), 'the folder is free again')
})
