import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

t.test('the last prints are read again when a job begins or ends, and once more when that is written', async t => {
  const hooks = createHooks({ effects: true })
  let reads = 0
  let timers: (() => void)[] = []
  const call = async () => { reads++; return { prints: [] } }
  const { Prints, desk } = await pageModules(['web/page/prints.js', 'web/page/printer-store.js'], {
    packages: {
      components,
      'preact/hooks': hooks,
      shell: { t: String, hasPage: () => false, number: String, dateTime: String },
      parts: { call }
    },
    globals: {
      setTimeout: (run: () => void) => timers.push(run),
      clearTimeout: (which: number) => { timers = timers.toSpliced(which - 1, 1) }
    },
    files: {
      'web/page/lib.js': "export { html } from 'components'; export { useEffect, useState } from 'preact/hooks'",
      'web/page/api.js': "export { call } from 'parts'",
      'web/page/printer-store.js': "import { createStore } from './store.js'; export const desk = createStore({ view: undefined })"
    }
  })
  const shows = (state: string, percent: number) => {
    desk.patch({ view: { job: { state, percent, start: 1 } } })
    hooks.draw(Prints, { printer: 'x1c' })
    return reads
  }
  t.equal(shows('RUNNING', 1), 1)
  t.equal(shows('RUNNING', 2), 1, 'not with each report')
  t.equal(shows('FINISH', 100), 2)
  t.equal(timers.length, 1)
  timers[0]?.()
  t.equal(reads, 3)
  await new Promise(setImmediate)
})
