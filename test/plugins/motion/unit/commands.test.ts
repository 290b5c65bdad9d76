import t from 'tap'
import { MODELS } from '../../../../core/index.js'
import { DIRECTIONS, travelsOf } from '../../../../plugins/motion/travels.js'
import { extrude, extrudeMs, home, move, moveMs, releaseMotors } from '../../../../plugins/motion/commands.js'
import { Holds } from '../../../../plugins/motion/holds.js'
import { CALLABLE } from '../../../../plugins/rules/vocabulary/callable.data.js'

const lines = ({ param }: object & { param?: unknown }) => String(param).trimEnd().split('\n')

t.test('a move keeps the limits of the firmware on, and leaves its modes as they were', async t => {
  t.same(lines(move({ axis: 'X', sign: -1 }, 10)),
    ['M211 S', 'M211 X1 Y1 Z1', 'M1002 push_ref_mode', 'G91', 'G1 X-10.0 F3000', 'M1002 pop_ref_mode', 'M211 R'])
  t.equal(lines(move({ axis: 'Z', sign: 1 }, 0.1))[4], 'G1 Z0.1 F900')
  t.same(lines(home()), ['G28'], 'never one axis alone')
  t.same(lines(extrude(50)), ['M83', 'G0 E50.0 F180'])
  t.equal(lines(extrude(-0.5))[1], 'G0 E-0.5 F180')
  t.same(lines(releaseMotors()), ['M18'])
})

t.test('every known model goes the way that a person sees', async t => {
  for (const info of MODELS) {
    const travels = travelsOf(info)
    const slides = ['A1', 'A2'].includes(info.series)
    const moves = DIRECTIONS.map(direction => {
      const { axis, sign, part } = travels?.[direction] ?? {}
      return `${direction} ${part} ${axis}${sign === 1 ? '+' : '-'}`
    })
    t.same(moves, slides
      ? ['left head X-', 'right head X+', 'back bed Y-', 'front bed Y+', 'up head Z+', 'down head Z-']
      : ['left head X-', 'right head X+', 'back head Y+', 'front head Y-', 'up bed Z-', 'down bed Z+'], info.model)
    for (const { axis, sign, closer } of Object.values(travels ?? {})) t.equal(closer, axis === 'Z' && sign === -1, info.model)
  }
  t.equal(travelsOf({ model: 'UNKNOWN', series: '' }), undefined)
})

t.test('one act at a time: the next waits until the printer can be done', async t => {
  let now = 5_000
  const holds = new Holds(() => now)
  t.equal(holds.leftMs('a', true), 0)
  holds.begin('a', moveMs({ axis: 'X' }, 50))
  t.equal(holds.leftMs('a', true), 1_500)
  t.equal(holds.leftMs('b', true), 0, 'another printer')
  now += 1_500
  t.equal(holds.leftMs('a', true), 0)
  t.equal(Math.round(extrudeMs(50)), 16_667)
  holds.beginHoming('a', false)
  t.equal(holds.leftMs('a', true), 10_000, 'it cannot be so fast')
  now += 10_000
  t.equal(holds.leftMs('a', false), 110_000, 'not homed yet')
  t.equal(holds.leftMs('a', true), 0)
  t.equal(holds.leftMs('a', false), 0, 'and it stays over')
  t.equal(holds.nearMs('a'), 290_000, 'somebody may still be there')
  now += 290_000
  t.equal(holds.nearMs('a'), 0)
  t.equal(holds.nearMs('c'), 0)
})

t.test('a homing of a printer that was homed before lasts until a report shows it, else as long as any', async t => {
  let now = 5_000
  const holds = new Holds(() => now)
  holds.beginHoming('a', true)
  now += 15_000
  t.equal(holds.leftMs('a', true), 105_000, 'the report may be of before')
  holds.see('a', false)
  holds.see('a', true)
  t.equal(holds.leftMs('a', true), 0)
  holds.beginHoming('a', true)
  now += 120_000
  t.equal(holds.leftMs('a', true), 0)
})

t.test('whoever has released the motors has to home, whatever the printer reports', async t => {
  let now = 5_000
  const holds = new Holds(() => now)
  const home = (isAccepted: boolean, wasHomed: boolean) => {
    holds.beginHoming('a', wasHomed)
    if (isAccepted) holds.homingAccepted('a')
    now += 120_000
    holds.leftMs('a', true)
    return holds.isReleased('a')
  }
  holds.releaseMotors('a')
  now += 600_000
  holds.see('a', true)
  t.ok(holds.isReleased('a'), 'a report that never says otherwise')
  t.ok(home(false, true), 'a homing that nobody has confirmed')
  t.notOk(home(true, true))
  holds.releaseMotors('a')
  holds.see('a', false)
  t.ok(holds.isReleased('a'))
  holds.see('a', true)
  t.notOk(holds.isReleased('a'), 'homed at its screen')
})

t.test('no rule moves a printer: somebody has to stand by', async t => {
  t.notOk('motion' in CALLABLE)
})
