import t from 'tap'
import { LibraryRoom } from '../../../../plugins/queue/library-room.js'

const MIB = 1024 ** 2

t.test('files that are being written count until they are released', async t => {
  const room = new LibraryRoom({ fileMiB: 2, libraryMiB: 3 })
  room.add('a', MIB)
  room.reserve(2 * MIB, 2 * MIB)
  t.throws(() => room.reserve(1, 1), { code: 'PRN_ERR_LIBRARY_FULL' })
  t.throws(() => room.reserve(2 * MIB + 1, 1), { code: 'PRN_ERR_SLICED_FILE_TOO_LARGE' })
  room.release(2 * MIB)
  room.reserve(MIB, MIB)
  t.same([...room.ids], ['a'])
  room.remove('a')
  t.notOk(room.has('a'))
})
