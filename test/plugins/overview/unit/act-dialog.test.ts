import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

class FormData {
  get () { return null }
  has () { return false }
}

t.test('what came of an act is said of printers that it does not fit any more', async t => {
  const hooks = createHooks()
  const shell = { t: (key: string) => key }
  const { ActDialog } = await pageModules(['overview/page/act-dialog.js'], {
    packages: { shell, components, 'preact/hooks': hooks },
    globals: { FormData },
    files: {
      'overview/page/lib.js': "export { html } from 'components'; export { useState } from 'preact/hooks'",
      'overview/page/acts.js': "export const runAll = async (_act, names, _values, done) => { for (const name of names) done(name, name === 'p1s' ? 'it is off' : '') }"
    }
  })
  const act = { id: 'pause', fits: ({ condition }: { condition: string }) => condition === 'printing' }
  const draw = (conditions: Readonly<Record<string, string>>) => hooks.draw(ActDialog,
    { act, printers: Object.entries(conditions).map(([name, condition]) => ({ name, condition })), onClose () {} })
  const lines = (conditions: Readonly<Record<string, string>>) => draw(conditions).filter(({ name }) => name === 'li').map(({ text }) => text)
  const before = { x1c: 'printing', p1s: 'printing', a1: 'idle' }
  t.same(lines(before), ['x1c', 'p1s', 'a1 – fleet.unfit'])
  const form = draw(before).find(({ name }) => name === 'form')
  await form?.props.onSubmit({ preventDefault () {}, currentTarget: {} })
  t.same(lines({ x1c: 'paused', p1s: 'offline', a1: 'idle' }), ['x1c – fleet.done', 'p1s – it is off', 'a1 – fleet.unfit'])
})
