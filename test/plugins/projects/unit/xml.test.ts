import t from 'tap'
import { attributeOf, childrenOf, parseXml } from '../../../../plugins/projects/read/xml.js'

const repeat = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at)).join('')

t.test('a document of a slicer, however large its slicer writes it', async t => {
  const text = `<config>${repeat(14_000, at => `\n      <metadata key="k${at}" value="a=b"/>`)}\n</config>`
  const [config] = childrenOf(parseXml(text.replaceAll('a=b', 'ab')), 'config')
  const items = childrenOf(config, 'metadata')
  t.equal(items.length, 14_000)
  t.equal(items[0] && attributeOf(items[0], 'key'), 'k0')
})

t.test('attributes are limited in number, with and without a value', async t => {
  for (const [what, text] of Object.entries({
    'in one tag': `<config ${repeat(45_000, at => ` a${at}=""`)}/>`,
    'in many': `<config>${repeat(5_000, () => `<a${repeat(10, at => ` b${at}=""`)}/>`)}</config>`,
    'without a value': `<config${' b'.repeat(200_000)}/>`,
    'on lines of their own': `<config${'\n\tb'.repeat(200_000)}/>`
  })) t.equal(parseXml(text), undefined, what)
})
