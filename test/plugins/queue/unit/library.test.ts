import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Library } from '../../../../plugins/queue/library.js'
import type { SlicedFile } from '../../../../plugins/queue/types.js'
import { testFolder } from '../../../helpers/folder.js'

t.test('a file that could not be shared is shared later, one that is damaged is not', async t => {
  const folder = testFolder(t)
  const put = (content: string, under = content): SlicedFile => {
    const id = createHash('sha256').update(under).digest('hex')
    writeFileSync(join(folder, `${id}.3mf`), content)
    return { id, name: content, size: 1, plates: [], addedAt: 0, addedBy: '', isStored: false }
  }
  const [damaged, one, other] = [put('x', 'y'), put('one'), put('other')]
  let isAway = true
  const stored: string[] = []
  const contents = {
    async write (id: string) {
      if (isAway) throw new Error('away')
      stored.push(id)
    },
    read: async function * () {}
  }
  const library = new Library({ folder, now: () => 0, contents, fileMiB: 1, libraryMiB: 1 })
  await library.open()
  await t.rejects(library.share(one.id), { message: 'away' })
  await t.rejects(library.shareMissing([one]), { message: 'away' })
  isAway = false
  const elsewhere = { ...one, id: '0'.repeat(64) }
  await t.rejects(library.shareMissing([damaged, one, { ...other, isStored: true }, elsewhere]), { code: 'PRN_ERR_NO_SLICED_FILE' })
  t.same(stored, [one.id])
  await Promise.all([library.shareMissing([other]), library.shareMissing([other])])
  t.same(stored, [one.id, other.id], 'once')
})
