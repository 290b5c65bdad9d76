import t from 'tap'
import { expandUri, isTemplate, valueIn } from '../../../../plugins/mcp/resource-uri.js'
import type { Resource } from '../../../../core/index.js'

const resource = (uri: string): Resource => ({ uri }) as Resource
const template = resource('prnd://printers/{name}/state')

t.test('the value of a template survives the way into an address and back', t => {
  for (const name of ['p1s', 'a b', 'Halle 2: Ä%']) t.equal(valueIn(template, expandUri(template.uri, name)), name)
  t.end()
})

t.test('an address that is none of the template has no value', t => {
  for (const name of ['', 'a/b', '%E0%A4%A']) t.equal(valueIn(template, `prnd://printers/${name}/state`), undefined, name)
  t.equal(valueIn(template, 'prnd://printers/p1s/camera'), undefined)
  t.end()
})

t.test('an address without a variable matches only itself', t => {
  const plain = resource('prnd://printers')
  t.strictSame([isTemplate(plain), isTemplate(template)], [false, true])
  t.strictSame([valueIn(plain, 'prnd://printers'), valueIn(plain, 'prnd://printers/')], ['', undefined])
  t.end()
})
