import t from 'tap'
import { Night, type NightServiceDeps } from '../../../../plugins/night/service.js'
import { OFF, type Settings } from '../../../../plugins/night/settings.js'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks, type Shown } from '../../../helpers/shown-in.js'

const QUIET = { hours: '22:00-07:00', printers: ['gone'], groups: [], lights_off: false }

t.test('a printer that was removed does not make quiet hours of it those of all printers', async t => {
  let value: Settings = { ...OFF, quiet: QUIET }
  const stored = () => ({ value, since: { report: 0, watch: 0 }, revision: 1 })
  const night = new Night({
    kernel: { optional: {}, printers: { names: ['x1c'] } },
    messages: () => ({ targets: () => [] }),
    store: {
      settings: async () => stored(),
      change: async (change: (known: Settings) => Settings) => {
        value = change(value)
        return stored()
      }
    },
    isQuiet: () => false,
    changed () {}
  } as unknown as NightServiceDeps)
  await night.change({ quiet: { hours: '21:00-07:00', printers: ['gone'] } }, 'ann')
  t.same(value.quiet, { ...QUIET, hours: '21:00-07:00' }, 'it stays as it was set')
  await night.change({ quiet: { printers: ['x1c'] } }, 'ann')
  await t.rejects(night.change({ quiet: { printers: ['gone'] } }, 'ann'), { code: 'PRN_ERR_BAD_INPUT' }, 'it is not set anew')
})

const VIEW = {
  settings: { ...OFF, time_zone: 'UTC', quiet: QUIET, report: { at: '07:00', targets: ['phone'], language: 'en' } },
  printers: ['x1c'],
  groups: [],
  targets: ['phone', 'mail'],
  quiet_now: false,
  may_change: true
}

/** The page's form, and what a browser would send of it. */
async function formOf (view: object, save: (change: object) => Promise<void>) {
  const hooks = createHooks()
  const filled = new FormData()
  class Filled { constructor () { return filled } }
  const { Settings } = await pageModules(['night/page/settings.js'], {
    packages: { components, 'preact/hooks': hooks, shell: { t: (key: string, { name = '', reason = '' } = {}) => key + name + reason, hasPage: () => false, shell: {} } },
    globals: { FormData: Filled }
  })
  const draw = (): Shown[] => hooks.draw(Settings, { night: view, onSave: save, onAgain () {} })
  const send = () => draw().find(({ name }) => name === 'form')?.props.onSubmit({ preventDefault () {}, currentTarget: {} })
  const fill = (fields: Readonly<Record<string, string>>) => {
    for (const name of [...filled.keys()]) filled.delete(name)
    for (const [name, value] of Object.entries(fields)) filled.append(name, value)
  }
  return { draw, send, fill, text: () => draw().map(({ text }) => text).join(' ') }
}

t.test('only what differs is saved, once', async t => {
  const sent: object[] = []
  let answer = () => {}
  const { draw, send, fill, text } = await formOf(VIEW, async change => {
    sent.push(change)
    await new Promise<void>(resolve => { answer = resolve })
  })
  t.match(draw().find(({ props: { value } }) => value === 'gone')?.props, { name: 'printers', defaultChecked: true }, 'it has a box')
  const report = { report: 'on', at: '07:00', targets: 'phone', report_language: 'en' }
  fill({ quiet: 'on', from: '21:00', until: '07:00', printers: 'gone', ...report })
  const both = [send(), send()]
  answer()
  await Promise.all(both)
  t.same(sent, [{ quiet: { hours: '21:00-07:00', printers: ['gone'], groups: [], lights_off: false } }])
  fill({ quiet: 'on', from: '22:00', until: '07:00', ...report })
  await send()
  t.match(text(), /night\.choose/, 'none is not all')
  t.equal(sent.length, 1)
})

t.test('who may not change it sees it, with the reason and without a button', async t => {
  const { draw, text } = await formOf({ ...VIEW, may_change: false }, async () => {})
  t.match(text(), /night\.readonly/)
  t.same(draw().filter(({ name }) => name === 'button'), [])
  t.match(draw().find(({ name }) => name === 'fieldset')?.props, { disabled: true })
})
