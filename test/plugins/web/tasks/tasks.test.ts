// What a person does, counted: a click, a text typed into one field, a choice, a key that acts are one action each.
// Each task begins on Home. The counts stand in docs/guides/pages.md.
import t from 'tap'
import { eventually } from '../../../helpers/eventually.js'
import { noBrowser } from '../../charts/chromium.js'
import { barriers } from '../desk.js'
import { keyboard, mouse } from './hands.js'
import { tasks } from './tasks.js'
import { openRoom } from './world.js'

const TAKES_MS = 600_000
/** A folder for pictures of what is passed through. */
const shots = process.env.PRN_SHOTS
/** What a page complains of when a file that it looks for is not there, or a code is wrong. */
const EXPECTED = /40[049]/

t.test('fifteen tasks take few actions, and none needs a mouse', { skip: noBrowser, timeout: TAKES_MS }, async t => {
  const world = await openRoom(t)
  const { page, base, pageErrors } = world
  const look = async (name: string) => {
    if (shots) await page.screenshot({ path: `${shots}/${name.replaceAll(/\W+/g, '-')}.png` })
  }
  t.equal(tasks.length, 15)
  for (const [round, by] of ['mouse', 'keyboard'].entries()) {
    for (const task of tasks) {
      await task.before?.(world, round)
      await page.goto(`${base}/fleet`)
      await page.getByRole('heading', { level: 1, name: /printer/ }).waitFor()
      const hands = by === 'mouse' ? mouse(page) : keyboard(page)
      const see = async (state: string) => {
        await look(`${task.name} ${state} ${by}`)
        if (by === 'mouse') t.same(await barriers(page), [], `${task.name}: ${state}`)
      }
      await task.does(hands, world, see, round)
      await eventually(() => task.done(world, round))
      await see('done')
      if (by === 'mouse') t.ok(hands.actions <= task.bar, `${task.name}: ${hands.actions} actions, at most ${task.bar}`)
      await hands.goRound()
      t.same(hands.faults, [], `${task.name}: by ${by}`)
    }
  }
  t.same(pageErrors.filter(text => !EXPECTED.test(text)), [])
})
