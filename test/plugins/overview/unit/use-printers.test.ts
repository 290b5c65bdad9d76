import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

interface Message { topic: string, printer: string, data: object }

/** Which printers the page shows, of a service whose answers the test gives. */
async function begin () {
  const states: any[] = []
  let at = 0
  const answers: ((printers: object[]) => void)[] = []
  const frames: (() => void)[] = []
  const listen = { onMessage (_: Message) {}, onLink (_: boolean) {} }
  const { usePrinters } = await pageModules(['overview/page/use-printers.js'], {
    packages: {
      hooks: {
        useEffect (run: () => void) { run() },
        useState (first: unknown) {
          const own = at++
          states[own] ??= first
          return [states[own], (next: unknown) => { states[own] = typeof next === 'function' ? next(states[own]) : next }]
        }
      },
      shell: {
        call: () => new Promise(resolve => answers.push(printers => resolve({ printers }))),
        follow: (given: typeof listen) => { Object.assign(listen, given); return () => {} }
      }
    },
    globals: {
      document: { hidden: false },
      setInterval: () => 0,
      requestAnimationFrame: (draw: () => void) => frames.push(draw)
    },
    files: { 'overview/page/lib.js': "export * from 'hooks'" }
  })
  usePrinters()
  const answer = async (which: number, printers: object[]) => {
    answers[which]?.(printers)
    await new Promise(setImmediate)
  }
  const push = (printer: string, condition: string) =>
    listen.onMessage({ topic: 'fleet', printer, data: { name: printer, condition } })
  const shown = () => Object.fromEntries([...states[0].values()].map(({ name, condition }: any) => [name, condition]))
  return { answer, push, listen, shown, draw: () => frames.splice(0).forEach(draw => draw()) }
}

const of = (conditions: Readonly<Record<string, string>>) =>
  Object.entries(conditions).map(([name, condition]) => ({ name, condition }))

t.test('what was pushed while an answer was on its way is newer than the answer', async t => {
  const { answer, push, shown, draw } = await begin()
  push('x1c', 'error')
  draw()
  push('new', 'idle')
  await answer(0, of({ x1c: 'printing', p1s: 'printing' }))
  t.same(shown(), { x1c: 'error', p1s: 'printing', new: 'idle' })
})

t.test('what was pushed before an answer was asked for is older, also if it is not drawn yet', async t => {
  const { answer, push, listen, shown, draw } = await begin()
  await answer(0, of({ x1c: 'idle', gone: 'idle' }))
  push('x1c', 'printing')
  listen.onLink(true) // it asks again
  await answer(1, of({ x1c: 'finished' }))
  draw()
  t.same(shown(), { x1c: 'finished' })
})

t.test('of two answers the one that was asked for last counts', async t => {
  const { answer, listen, shown } = await begin()
  listen.onLink(true)
  await answer(1, of({ x1c: 'error' }))
  await answer(0, of({ x1c: 'printing' }))
  t.same(shown(), { x1c: 'error' })
})
