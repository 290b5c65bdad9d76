import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

t.test('both quiet hours are saved together, once, and the time zone stays', async t => {
  const hooks = createHooks()
  const sent: object[] = []
  const filled = new FormData()
  class Filled { constructor () { return filled } }
  const { Quiet } = await pageModules(['notify/page/quiet.js'], {
    packages: { components, 'preact/hooks': hooks, shell: { t: String, shell: {}, call: async (_method: string, _path: string, params: object) => { sent.push(params) } } },
    globals: { FormData: Filled }
  })
  const draw = (hours: string | null) => hooks.draw(Quiet, { quiet: { hours, timeZone: 'Asia/Kolkata', origin: 'stored' }, onDone () {} })
  const times = (hours: string | null) => draw(hours).filter(({ props: { type } }) => type === 'time').map(({ props }) => props)
  const save = (hours: string | null) => draw(hours).find(({ name }) => name === 'form')?.props.onSubmit({ preventDefault () {}, currentTarget: {} })
  t.match(times('22:00-07:00'), [{ name: 'from', defaultValue: '22:00' }, { name: 'to', defaultValue: '07:00' }])
  t.notOk(times('22:00-07:00').some(props => 'value' in props), 'what is typed stays')
  for (const [name, value] of Object.entries({ quiet: 'on', from: '21:00', to: '06:00' })) filled.append(name, value)
  await Promise.all([save('22:00-07:00'), save('22:00-07:00')])
  t.same(sent, [{ hours: '21:00-06:00', timeZone: 'Asia/Kolkata' }])
  draw('21:00-06:00')
  filled.delete('quiet')
  await save('21:00-06:00')
  t.same(sent[1], { hours: null, timeZone: 'Asia/Kolkata' })
  t.match(times(null), [{ defaultValue: '21:00' }, { defaultValue: '06:00' }], 'switched on again')
})
