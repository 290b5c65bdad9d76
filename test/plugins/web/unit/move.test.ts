import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

const MINUTE_MS = 60_000
const UP = { direction: 'up', part: 'bed', closer: true, most_mm: 10, why: null }

/** The tab Move of a printer that may be moved, with a clock of its own. */
async function begin () {
  const hooks = createHooks({ effects: true })
  const calls: unknown[] = []
  const leave: (() => void)[] = []
  const clock = { now: 0 }
  const document = {
    hidden: false,
    addEventListener: (_: string, listen: () => void) => leave.push(listen),
    removeEventListener () {}
  }
  const motion = { moves: [UP], extrude: {} }
  const call = async (name: string, body?: object) => {
    if (body !== undefined) calls.push({ name, ...body })
    return motion
  }
  const { Move } = await pageModules(['web/page/move.js'], {
    packages: {
      shell: { t: String },
      components,
      'preact/hooks': hooks,
      api: { call, has: () => false, takes: () => false }
    },
    globals: { document, setInterval: () => 0, clearInterval () {}, Date: { now: () => clock.now } },
    files: {
      'web/page/lib.js': "export { html } from 'components'; export { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'",
      'web/page/api.js': "export { call, has, takes } from 'api'",
      'web/page/dialogs.js': 'export const attempt = (_, work) => work(); export const confirm = () => {}',
      'web/page/target.js': 'export const Target = () => null'
    }
  })
  const first = { link: 'live', start: 100 as number | undefined, isLive: true }
  const draw = ({ link, start, isLive }: typeof first = first) => hooks.draw(Move,
    { link, view: { service: 'CONNECTED', isLive, heaters: [], job: { state: 'FINISH', name: 'vase', start } } })
  const clearSwitch = (shown = draw()) => shown.find(({ props: { role } }) => role === 'switch')?.props
  const home = (shown = draw()) => shown.find(({ props: { class: name } }) => name?.startsWith('press middle'))?.props
  const settled = () => new Promise(setImmediate)
  draw()
  await settled() // it has asked what may be moved
  const look = () => clearSwitch()?.onClick({ preventDefault () {} })
  return { first, draw, settled, look, clearSwitch, home, calls, clock, document, leave }
}

t.test('that the plate is empty is said of the job after which somebody looked', async t => {
  const { first, draw, settled, look, clearSwitch, home, calls } = await begin()
  t.equal(home()?.disabled, true, 'before anybody has looked')
  look()
  t.equal(clearSwitch()?.checked, true)
  home()?.onClick()
  t.same(calls, [{ name: 'motion/home', plate_is_clear: true, job_start: 100 }])
  await settled()
  const next = draw({ ...first, start: 200 })
  t.equal(clearSwitch(next)?.checked, false, 'another job has come to its end, unseen by this page')
  t.equal(home(next)?.disabled, true)
})

t.test('it counts for five minutes, also in a page that has slept, while the page is seen and knows the printer', async t => {
  const { first, draw, settled, look, clearSwitch, home, calls, clock, document, leave } = await begin()
  look()
  const button = home()
  clock.now = 5 * MINUTE_MS
  t.equal(clearSwitch()?.checked, false)
  button?.onClick()
  t.same(calls, [{ name: 'motion/home' }], 'the service refuses that')
  await settled()
  for (const change of [{ link: 'lost' }, { isLive: false }]) {
    look()
    t.equal(clearSwitch()?.checked, true)
    draw({ ...first, ...change })
    t.equal(clearSwitch()?.checked, false, JSON.stringify(change))
  }
  look()
  document.hidden = true
  leave[0]?.()
  t.equal(clearSwitch()?.checked, false, 'another tab was looked at')
})
