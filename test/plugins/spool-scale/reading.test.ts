import t from 'tap'
import { readMessage } from '../../../plugins/spool-scale/read-message.js'
import { Scale } from '../../../plugins/spool-scale/scale.js'

const read = (text: string) => readMessage(Buffer.from(text))
const reading = (grams: number, more: object = {}) => ({ grams, spool: '', tag: '', isSteady: false, ...more })

t.test('a message is a number, or an object with grams', async t => {
  t.same(read(' 812.5\n'), { reading: reading(812.5) })
  t.same(read('{"grams": 700, "spool": "s1a2b3c4"}'), { reading: reading(700, { spool: 's1a2b3c4' }) })
  t.same(read('{"grams": 700, "tag": "04AABB", "stable": true}'), { reading: reading(700, { tag: '04AABB', isSteady: true }) })
  for (const [text, why] of [
    ['', /empty/], ['NaN', /neither/], ['Infinity', /neither/], ['1e5', /more than/], ['1e999', /no number/], ['-3', /negative/], ['{"grams": -0.5}', /negative/],
    ['{"grams": "700"}', /no number/], ['{"grams": null}', /no number/], ['[700]', /neither/], ['700 g', /neither/], ['{"grams": 1, "spool": "a b"}', /letters/],
    ['{"grams": 1, "tag": 5}', /letters/], ['{"grams": 25000}', /more than/], ['unavailable', /neither/], [`{"grams": 1, "x": "${'A'.repeat(2_000)}"}`, /too long/],
    [`{"grams": 1, "x": ${'['.repeat(400)}${']'.repeat(400)}}`, /neither/], ['__proto__', /neither/]
  ] as const) t.match(read(text), { problem: why }, text.slice(0, 40))
})

t.test('random bytes are never a reading that is out of range, and never throw', async t => {
  let seed = 5
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(seed / 65_536) % below
  }
  const parts = ['{', '}', '"grams"', ':', '1', '-', 'e', '9', '.', ' ', '"spool"', ',', 'null', '\u0000', '[', ']', 'é']
  let wrong = 0
  for (let n = 0; n < 20_000; n++) {
    const found = read(Array.from({ length: random(12) }, () => parts[random(parts.length)]).join(''))
    if ('reading' in found && !(found.reading.grams >= 0 && found.reading.grams <= 20_000)) wrong++
  }
  t.equal(wrong, 0)
})

t.test('a value counts when it is steady for three seconds, and once for each spool', async t => {
  const scale = new Scale()
  const feed = (at: number, grams: number, more: object = {}) => scale.add(reading(grams, more), at)
  t.equal(feed(0, 0), undefined)
  t.equal(feed(1_000, 300), undefined, 'still being put down')
  t.equal(feed(2_000, 811), undefined)
  t.equal(feed(3_000, 812), undefined)
  t.equal(feed(4_500, 811), undefined, 'not long enough')
  const counted = feed(5_100, 812)
  t.match(counted, { grams: 812 })
  scale.take(counted ?? reading(0))
  for (let at = 6_000; at < 20_000; at += 500) t.equal(feed(at, 811.5), undefined, 'the same spool')
  t.equal(feed(20_000, 2), undefined, 'taken away')
  for (const at of [21_000, 22_500]) t.equal(feed(at, 600), undefined)
  t.match(feed(24_100, 601), { grams: 601 }, 'the next one')
  t.match(feed(24_150, 950, { isSteady: true }), { grams: 950 }, 'a scale that has waited itself')

  const flooded = new Scale()
  let taken = 0
  for (let at = 0; at < 2_900; at++) if (flooded.add(reading(500), at)) taken++
  t.equal(taken, 0, 'many readings are not a long time')
  t.equal(flooded.add(reading(500), 1), undefined, 'nor is a clock that goes back')
})
