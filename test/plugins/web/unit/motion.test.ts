import t from 'tap'
import { WHY } from '../../../../plugins/motion/why-not.js'
import { texts } from '../../../../plugins/web/texts/index.js'

type Found = (...given: readonly unknown[]) => unknown
const { distanceOf, firstOf, hotOf, whyNotExtrude, whyNotHome, whyNotMove } =
  await import(new URL('../../../../plugins/web/page/motion.js', import.meta.url).href) as Record<string, Found>

const motion = {
  why: null,
  moves: [{ direction: 'left', closer: false, most_mm: 50, why: null }, { direction: 'up', closer: true, most_mm: 10, why: null }],
  extrude: { why: { code: 'cold' } }
}
const known = { isLive: true, isClear: false }

t.test('a button of the page is off for the reason that the service gives', async t => {
  t.equal(whyNotMove?.(motion, 'left', known), '')
  t.equal(whyNotMove?.(motion, 'up', known), 'look')
  t.equal(whyNotMove?.(motion, 'up', { ...known, isClear: true }), '')
  t.equal(whyNotMove?.(motion, 'down', known), 'model_unknown')
  t.equal(whyNotHome?.(motion, known), 'look')
  t.equal(whyNotExtrude?.(motion, true), 'cold')
  t.equal(firstOf?.(motion, true), '')
  const prints = { ...motion, why: { code: 'prints' } }
  for (const why of [whyNotMove?.(prints, 'left', known), whyNotHome?.(prints, known), whyNotExtrude?.(prints, true), firstOf?.(prints, true)]) {
    t.equal(why, 'prints')
  }
  t.equal(firstOf?.({ ...motion, moves: [{ why: { code: 'not_homed' } }] }, true), 'not_homed')
  t.equal(firstOf?.({ ...motion, moves: [] }, true), 'model_unknown')
  for (const [given, live] of [[null, true], [motion, false]]) t.equal(whyNotMove?.(given, 'left', { ...known, isLive: live }), 'not_current')
  t.equal(whyNotMove?.(undefined, 'left', known), 'asking')
})

t.test('distances and heat', async t => {
  t.same([1, 10, 50].map(step => distanceOf?.(step, 10)), [1, 10, 10])
  t.same(hotOf?.([{ label: 'nozzle', actual: 60 }, { label: 'bed', actual: 49.9 }, { label: 'chamber' }, { label: 'x', actual: 80 }]),
    [{ label: 'x', actual: 80 }, { label: 'nozzle', actual: 60 }])
})

t.test('every reason of the service has words on the page', async t => {
  const why = (code: string) => `printer.move.why.${code}`
  for (const code of WHY) for (const [language, words] of Object.entries(texts)) t.ok(why(code) in words, `${language}: ${code}`)
  t.same(Object.keys(texts.en).filter(key => key.startsWith(why('')) && !WHY.some(code => key === why(code))), [why('asking')])
})
