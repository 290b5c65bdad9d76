import t from 'tap'
import { colorText, digitsOfName, exactColorName, nearestColorName, rgbaOf } from '../../../../plugins/filament/colors.js'

t.test('a colour that CSS knows has a name', async t => {
  for (const [rgba, name] of [
    ['FFFFFFFF', 'white'], ['000000FF', 'black'], ['00000000', 'black'], ['FF0000', 'red'], ['ffa500ff', 'orange'],
    ['00FFFFFF', 'cyan'], ['FF00FFFF', 'magenta'], ['808080FF', 'gray'], ['A9A9A9FF', 'darkgray'],
    ['663399FF', 'rebeccapurple']
  ] as const) {
    t.equal(exactColorName(rgba), name, rgba)
    t.equal(colorText(rgba), name)
    t.equal(await nearestColorName(rgba), name, 'nearest to itself')
  }
})

t.test('other colours are written as numbers, and called after the nearest', async t => {
  for (const [rgba, text, name] of [
    ['0ACC38FF', '#0ACC38FF', 'limegreen'], ['ff6a13ff', '#FF6A13FF', 'coral'], ['161616FF', '#161616FF', 'black'],
    ['FEFEFEFF', '#FEFEFEFF', 'white'], ['0A298900', '#0A298900', 'midnightblue'], ['F4A925', '#F4A925', 'orange']
  ] as const) {
    t.equal(exactColorName(rgba), undefined)
    t.equal(colorText(rgba), text)
    t.equal(await nearestColorName(rgba), name, rgba)
  }
  t.equal(await nearestColorName('0ACC3800'), 'limegreen', 'transparency does not count')
})

t.test('names can be turned into numbers', async t => {
  for (const [name, digits] of [['white', 'FFFFFF'], ['Orange', 'FFA500'], ['grey', '808080'], ['gray', '808080'],
    ['REBECCAPURPLE', '663399']] as const) t.equal(digitsOfName(name), digits)
  for (const name of ['', 'nope', 'FFFFFF', 'toString', '__proto__', 'constructor']) {
    t.equal(digitsOfName(name), undefined, name)
  }
})

t.test('what is no colour does no harm', async t => {
  for (const rgba of ['', 'FFF', 'GGGGGGFF', 'not a colour']) {
    t.equal(exactColorName(rgba), undefined)
    t.type(await nearestColorName(rgba), 'string', `'${rgba}'`)
  }
})

t.test('colours as people write them', async t => {
  t.equal(rgbaOf('red'), 'FF0000FF')
  t.equal(rgbaOf(' Dark Slate Gray '), undefined, 'names have no spaces inside')
  t.equal(rgbaOf('DarkSlateGray'), '2F4F4FFF')
  t.equal(rgbaOf('ff8000'), 'FF8000FF')
  t.equal(rgbaOf('#ff8000'), 'FF8000FF')
  t.equal(rgbaOf('#FF800080'), 'FF800080')
  for (const wrong of ['', '#', 'fff', '#12345', '12345678A', 'constructor', 'reddish']) t.equal(rgbaOf(wrong), undefined, wrong)
})
