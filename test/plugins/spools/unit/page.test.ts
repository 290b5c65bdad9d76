import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

Object.assign(globalThis, { getComputedStyle: () => ({ fontSize: '16px' }), matchMedia: () => ({ matches: false }) })

const KNOWN = { color: '', type: '', place: '', left_g: 1, net_g: 2, archived: false, opened_at: null }
const spool = (id: string, material: string) => ({ ...KNOWN, id, name: id, material })

t.test('what is done to many spools is done to those that are shown', async t => {
  const hooks = createHooks()
  const sent: object[] = []
  const { List, NO_FILTER } = await pageModules(['spools/page/list.js', 'spools/page/filter.js'], {
    packages: {
      components,
      'preact/hooks': hooks,
      shell: {
        t: (key: string, { count = '' } = {}) => key + count,
        shell: { language: 'en', base: './' },
        number: String,
        filamentName: String,
        spoolName: ({ name }: { name: string }) => name,
        call: async (_method: string, _path: string, params: object) => { sent.push(params) }
      }
    },
    globals: { document: { documentElement: {} } },
    files: { 'shell/page/use-visible-rows.js': 'export const useVisibleRows = () => ({ from: 0, to: 99, before: 0, after: 0 })' }
  })
  const plas = Array.from({ length: 6 }, (_, at) => spool(`pla${at}`, 'PLA'))
  const inventory = { spools: [...plas, spool('petg', 'PETG')], types: [], places: [], slots: [] }
  const draw = (material: string) => hooks.draw(List,
    {
      inventory,
      filter: { ...NO_FILTER, material },
      isOurs: true,
      act: (work: () => Promise<void>) => work(),
      onFilter () {},
      onEdit () {}
    })
  const all = (material: string) => draw(material).find(({ name, text }) => name === 'label' && text.includes('spools.select.all'))
  const press = (material: string, key: string) => draw(material).find(({ name, text }) => name === 'button' && text === key)?.props.onClick()
  const box = draw('PLA').filter(({ props: { type } }) => type === 'checkbox')[0]
  t.ok(all('PLA'), 'there is one for all')
  box?.props.onInput({ target: { checked: true } })
  t.match(draw('PLA').map(({ text }) => text).join(' '), /spools\.selected6/)
  t.notMatch(draw('PETG').map(({ text }) => text).join(' '), /spools\.selected/)
  draw('PETG').find(({ props }) => props['aria-label'] === 'spools.select')?.props.onInput({ target: { checked: true } })
  press('PETG', 'spools.many.archive')
  t.same(sent, [{ ids: ['petg'], archived: true }])
})

t.test('a dialogue that is closed leaves nothing for the scale to weigh', async t => {
  const hooks = createHooks()
  const ends: (() => void)[] = []
  let isFirst = true
  let chosen = ''
  const useEffect = (run: () => (() => void) | undefined) => {
    const end = isFirst ? run() : undefined
    if (end) ends.push(end)
  }
  const { useScale } = await pageModules(['spools/page/use-scale.js'], {
    packages: {
      components,
      'preact/hooks': { ...hooks, useEffect },
      shell: {
        t: String,
        shell: {},
        call: async (method: string, _path: string, { spool = '' } = {}) => {
          if (method === 'POST') chosen = spool
          return { scales: [], chosen: chosen === '' ? null : { spool: chosen } }
        }
      }
    }
  })
  let scale = { begin: async () => {}, stop () {} }
  const draw = () => hooks.draw(() => { scale = useScale('s1', async () => {}) }, {})
  draw()
  isFirst = false
  const close = async () => {
    for (const end of ends) end()
    await new Promise(resolve => setImmediate(resolve))
  }
  await scale.begin()
  t.equal(chosen, 's1')
  await close()
  t.equal(chosen, '', 'nothing waits')
  const beginning = scale.begin()
  await close()
  await beginning
  t.equal(chosen, '', 'also when it was closed before the service answered')
  await scale.begin()
  chosen = 's2'
  await close()
  t.equal(chosen, 's2', 'what somebody else chose stays')
})
