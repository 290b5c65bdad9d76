import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

t.test('a file for several printers goes to the service once', async t => {
  const calls: string[] = []
  const state = { ok: true }
  const { ACTS, runAll } = await pageModules(['overview/page/acts.js'], {
    packages: {
      shell: {
        shell: { base: '/' },
        call: async (_: string, path: string, { printer, src, dest }: any) => { calls.push(`${path} ${printer} ${src} ${dest}`) },
        async forEach (names: string[], work: (name: string) => Promise<void>) {
          for (const name of names) await work(name)
        }
      }
    },
    globals: {
      fetch: async (path: string) => {
        calls.push(path)
        return { ok: state.ok, json: async () => state.ok ? { filename: 'cube.3mf' } : { reason: 'no room' } }
      }
    }
  })
  const act = ACTS.find(({ id }: { id: string }) => id === 'send')
  const send = async () => {
    const ends: string[] = []
    await runAll(act, ['a', 'b'], { file: new File(['x'], 'cube.3mf') }, (name: string, problem: string) => ends.push(`${name}: ${problem}`))
    return ends
  }
  t.same(await send(), ['a: ', 'b: '])
  t.same(calls, ['/api/upload_file_to_host', ...['a', 'b'].map(name => `upload_file_to_printer ${name} cube.3mf /cube.3mf`)])
  state.ok = false
  t.same(await send(), ['a: no room', 'b: no room'])
})
