import t from 'tap'
import { pageModules } from '../../helpers/page-module.js'
import { components, createHooks } from '../../helpers/shown-in.js'

/** The card of a service whose answers the test gives by path. */
async function begin () {
  const hooks = createHooks({ effects: true })
  const answers: Record<string, object | number> = { keeping: { keep_days: 30, may_change: true, origin: 'default' } }
  const timers: (() => void)[] = []
  const call = async (_: string, path: string) => {
    const answer = answers[path]
    if (typeof answer === 'number') throw Object.assign(new Error(`it fails with ${answer}`), { status: answer })
    return answer
  }
  const { KeepCard } = await pageModules(['shell/page/keep-card.js'], {
    packages: {
      components,
      'preact/hooks': hooks,
      shell: { call, number: String, shell: { language: 'en' }, t: (key: string, { reason = '' } = {}) => `${key} ${reason}` }
    },
    globals: { setTimeout: (run: () => void) => timers.push(run), clearTimeout () {} }
  })
  const draw = () => hooks.draw(KeepCard, {
    id: 'keep', path: 'keeping', prefix: 'x', fields: { keep_days: { word: 'time', unit: 'days', least: 1 } }, goneParts: () => []
  })
  const settled = async () => { timers.splice(0).forEach(run => run()); await new Promise(setImmediate) }
  const text = () => draw().map(({ text }) => text).join('\n')
  const press = (words: string) => draw().find(({ name, text }) => name === 'button' && text.includes(words))?.props.onClick()
  const save = () => draw().find(({ name, props }) => name === 'button' && props.type !== 'button')?.props
  return { answers, draw, settled, text, press, save }
}

t.test('a card that cannot be read says why, and can be asked again', async t => {
  const { answers, draw, settled, text, press } = await begin()
  const { keeping = 0 } = answers
  answers.keeping = 503
  draw()
  await settled()
  t.match(text(), /keep\.unread it fails with 503/)
  answers.keeping = keeping
  press('keep.again')
  await settled()
  t.notMatch(text(), /unread/)
})

t.test('whoever may not read it sees no card', async t => {
  const { answers, draw, settled } = await begin()
  answers.keeping = 403
  draw()
  await settled()
  t.same(draw(), [])
})

t.test('if it is not known what would be deleted, the dialogue says why, and can be asked again', async t => {
  const { answers, draw, settled, text, press, save } = await begin()
  answers['keeping/effect'] = 503
  draw()
  await settled()
  press('keep.edit')
  draw()
  await settled()
  t.match(text(), /keep\.unread it fails with 503/)
  t.equal(save()?.disabled, true)
  answers['keeping/effect'] = {}
  press('keep.again')
  draw()
  await settled()
  t.match(text(), /keep\.gone\.none/)
  t.equal(save()?.disabled, false)
})
