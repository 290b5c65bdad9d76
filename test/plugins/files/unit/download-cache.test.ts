import { writeFile } from 'node:fs/promises'
import t from 'tap'
import { createDownloadCache } from '../../../../plugins/files/download-cache.js'
import type { CardEntry } from '../../../../plugins/files/index.js'
import { testFolder } from '../../../helpers/folder.js'

const entryOf = (size: number): CardEntry => ({ path: '/a.3mf', name: 'a.3mf', size, isFolder: false, modifiedAt: 1 })

t.test('a file that is larger than the cache is not fetched, and costs no other its copy', async t => {
  const cache = createDownloadCache(testFolder(t), 100)
  let fetched = 0
  const fill = async (path: string) => {
    fetched++
    await writeFile(path, 'x')
  }
  await cache.take('serial', entryOf(100), fill)
  await t.rejects(cache.take('serial', entryOf(101), fill), { code: 'too_much', message: /raise plugins.files.cacheMiB/ })
  t.equal(fetched, 1)
  await cache.take('serial', entryOf(100), fill)
  t.equal(fetched, 1, 'still there')
})
