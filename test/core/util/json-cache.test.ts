import t from 'tap'
import { jsonBytes, immutableJson } from '../../../core/util/json-cache.js'

const same = (text: string) => text

t.test('a value becomes its JSON, redacted', async t => {
  t.equal(jsonBytes({ a: [1, 'ü'] }, same).toString(), '{"a":[1,"ü"]}')
  t.equal(jsonBytes({ code: 'secret' }, text => text.replaceAll('secret', '***')).toString(), '{"code":"***"}')
  t.equal(jsonBytes(undefined, same).toString(), 'null')
  t.equal(jsonBytes(null, same).toString(), 'null')
  t.equal(jsonBytes('text', same).toString(), '"text"')
})

t.test('a snapshot is written once, anything else each time', async t => {
  let written = 0
  const counted = { toJSON () { written++; return { a: 1 } } }
  const kept = immutableJson(counted)
  t.equal(kept, counted)
  t.equal(jsonBytes(kept, same), jsonBytes(kept, same), 'the same buffer')
  t.equal(written, 1)
  const other = { a: 1 }
  t.not(jsonBytes(other, same), jsonBytes(other, same))
})

t.test('a snapshot may say how it is written, and is redacted all the same', async t => {
  let written = 0
  const kept = immutableJson({ code: 'secret' }, () => { written++; return '{"code":"secret"}' })
  t.equal(written, 0, 'not before somebody asks')
  const masked = (text: string) => text.replaceAll('secret', '***')
  t.equal(jsonBytes(kept, masked).toString(), '{"code":"***"}')
  t.equal(jsonBytes(kept, masked), jsonBytes(kept, masked))
  t.equal(written, 1)
})

t.test('what another kernel masks is written anew for it', async t => {
  const shared = immutableJson({ code: 'of-the-second' })
  t.match(jsonBytes(shared, same).toString(), 'of-the-second')
  t.notMatch(jsonBytes(shared, text => text.replaceAll('of-the-second', '***')).toString(), 'of-the-second')
})
