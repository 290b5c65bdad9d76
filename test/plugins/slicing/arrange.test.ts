import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Caller } from '../../../core/index.js'
import { arrangeModels } from '../../../plugins/slicing/operations.js'
import { testFolder } from '../../helpers/folder.js'

t.test('only who may slice makes a model of an uploaded file by looking how it would lie', async t => {
  const path = join(testFolder(t), 'cube.stl')
  writeFileSync(path, 'x')
  for (const [role, stored] of [['view', []], ['operate', ['cube.stl']]] as const) {
    const added: string[] = []
    const models = {
      has: () => false,
      async add (source: NodeJS.ReadableStream, name: string) {
        source.resume()
        added.push(name)
      }
    }
    const arranged = new Error('arranged')
    const services = {
      files: { hostFiles: () => ({ stored: async () => path }) },
      slicing: { models, arrange: async () => { throw arranged } }
    }
    const caller: Caller = { name: 'Ann', role, printers: undefined }
    const run = arrangeModels.run({ kernel: {}, services, caller, askedBy: 'Ann', session: {} } as never, { parts: [{ model: 'cube.stl' }] } as never)
    await t.rejects(run as Promise<unknown>, arranged)
    t.same(added, stored, role)
  }
})
