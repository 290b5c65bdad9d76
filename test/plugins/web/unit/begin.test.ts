import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

t.test('that the service is away is said in passing once, and on the page as long as it lasts', async t => {
  const state = { fails: true }
  const timers: (() => void)[] = []
  const place = { textContent: '' }
  const { toasts, desk } = await pageModules(['web/page/main.js', 'web/page/dialogs.js', 'web/page/printer-store.js'], {
    packages: {
      shell: { keepPrinter () {} },
      service: { loadDescription: async () => { if (state.fails) throw new Error('it is away') } }
    },
    globals: {
      document: { addEventListener () {}, getElementById: () => place },
      window: { location: { href: 'http://printers.local/printer' } },
      setTimeout: (run: () => void) => timers.push(run)
    },
    files: {
      'web/page/app.js': 'export const App = null',
      'web/page/lib.js': 'export const html = () => null; export const render = () => {}; export const useEffect = () => {}; export const useState = () => []',
      'web/page/api.js': "export { loadDescription } from 'service'",
      'web/page/live.js': 'export const listPrinters = async () => []',
      'web/page/printer-store.js': "import { createStore } from './store.js'; export const choose = () => {}; export const desk = createStore({ printer: '', problem: '' })"
    }
  })
  const again = async () => {
    await new Promise(setImmediate)
    for (const run of timers.splice(0)) if (run.name === 'tryToBegin') run()
    await new Promise(setImmediate)
  }
  await again()
  await again()
  t.same(toasts.get().map(({ text }: { text: string }) => text), ['it is away'])
  t.equal(desk.get().problem, 'it is away')
  state.fails = false
  await again()
  t.match(desk.get(), { problem: '', asked: true })
})
