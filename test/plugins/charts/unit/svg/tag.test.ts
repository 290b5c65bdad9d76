import t from 'tap'
import { escapeText, fit, label, round1, tag, widthOf } from '../../../../../plugins/charts/svg/tag.js'

t.test('attributes and texts from outside cannot leave their place', t => {
  t.equal(escapeText('<script>"&\''), '&lt;script&gt;&quot;&amp;\'')
  t.equal(tag('g', { id: '"><script>' }), '<g id="&quot;&gt;&lt;script&gt;"/>')
  t.equal(label(1, 2, '</text><script>'), '<text x="1" y="2">&lt;/text&gt;&lt;script&gt;</text>')
  t.end()
})

t.test('characters that no document may hold are replaced', t => {
  t.equal(escapeText('a\u0000b\u001Bc\uD800d'), 'a\uFFFDb\uFFFDc\uFFFDd')
  t.equal(escapeText('one\u202Etwo\u2066'), 'one\uFFFDtwo\uFFFD', 'nor marks that turn the text around them')
  t.equal(escapeText('Ümläut 🖨'), 'Ümläut 🖨')
  t.end()
})

t.test('attributes without a value are left out', t => {
  t.equal(tag('path', { class: undefined, d: 'M0 0' }), '<path d="M0 0"/>')
  t.equal(tag('g', {}, ''), '<g></g>', 'an element with a child is not closed at once')
  t.end()
})

t.test('coordinates are short, and numbers whatever comes', t => {
  t.same([1.26, -0.04, 3, NaN, Infinity, -Infinity].map(round1), [1.3, -0, 3, 0, 0, 0])
  t.equal(tag('g', { x: -0.01 }), '<g x="0"/>')
  t.end()
})

t.test('texts are cut to the width there is', t => {
  t.equal(fit('PLA', 100, 12), 'PLA')
  const cut = fit('Polycarbonate with fibres', 80, 12)
  t.ok(cut.endsWith('…'))
  t.ok(widthOf(cut, 12) <= 80)
  t.equal(fit('🖨🖨🖨🖨', 1, 12), '…', 'never through the middle of a character')
  t.end()
})
