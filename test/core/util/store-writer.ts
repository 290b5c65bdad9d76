// Writes until a test kills it: every document is whole and says its own length.
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/util/json-store.js'

const [path = ''] = process.argv.slice(2)
const store = await openJsonStore(path, {
  schema: Type.Object({ at: Type.Integer(), filling: Type.String() }),
  initial: { at: 0, filling: '' },
  warn: message => { process.stdout.write(`${message}\n`) }
})
const endAt = Date.now() + 60_000 // should the test be gone
for (let at = store.get().at + 1; Date.now() < endAt; at++) await store.set({ at, filling: 'x'.repeat(100_000) })
