import t from 'tap'
import { pageModules } from '../../helpers/page-module.js'
import { components, createHooks, type Shown } from '../../helpers/shown-in.js'

const job = { id: 'j', printer: 'x1c', state: 'done', result: { file: 'f', name: 'n', seconds: 60, grams: 3, layers: 9, slicer: 's', findings: [] } }

t.test('a plate goes into the queue once, however often the button is pressed', async t => {
  const hooks = createHooks()
  const calls: string[] = []
  let answer = (_body: object) => {}
  const shell = {
    t: (key: string) => key,
    number: String,
    hasPage: () => true,
    linkTo: (id: string) => id,
    shell: { base: './' },
    call: (method: string, path: string) => {
      calls.push(`${method} ${path}`)
      return new Promise(resolve => { answer = resolve })
    }
  }
  const { Result } = await pageModules(['slicing/page/result.js'], { packages: { shell, components, 'preact/hooks': hooks } })
  const draw = () => hooks.draw(Result, { job, onCancel () {}, onAgain () {} })
  const button = () => draw().find(({ name, text }) => name === 'button' && text === 'slicing.queue')
  const press = (one: Shown | undefined) => one?.props.onClick()
  const first = press(button())
  t.equal(button()?.props.disabled, true)
  void press(button())
  t.same(calls, ['POST queue'])
  answer({ state: 'waiting', printers: [] })
  await first
  t.equal(button(), undefined, 'it is there')
})
