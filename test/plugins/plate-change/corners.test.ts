import t from 'tap'
import { pageModules } from '../../helpers/page-module.js'
import { components, createHooks } from '../../helpers/shown-in.js'

t.test('the corners of the bed are chosen with the keyboard alone, and sent only when somebody says so', async t => {
  const hooks = createHooks()
  const { AskCorners } = await pageModules(['plate-change/page/ask.js'], {
    packages: {
      components,
      'preact/hooks': hooks,
      preact: { render () {} },
      shell: { t: (key: string, { number = '', x = '', y = '' } = {}) => `${key} ${number} ${x} ${y}` }
    }
  })
  const used: number[][][] = []
  const mask = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
  const draw = () => hooks.draw(AskCorners, { src: '', title: '', mask, onUse: (corners: number[][]) => used.push(corners), onClose () {} })
  const corner = (number: number) => draw().find(({ name, text }) => name === 'button' && text === String(number))?.props
  t.match(corner(2), { 'aria-label': 'plate-change.camera.corner 2 90 10' })
  const press = (key: string, shiftKey = false) => corner(2)?.onKeyDown({ key, shiftKey, preventDefault () {} })
  press('ArrowLeft')
  press('ArrowDown', true)
  for (let turn = 0; turn < 30; turn++) press('ArrowUp', true)
  press('Enter')
  t.same(used, [])
  draw().find(({ name, text }) => name === 'button' && text.startsWith('plate-change.camera.corners.use'))?.props.onClick()
  t.same(used, [[[0.1, 0.1], [0.89, 0], [0.9, 0.9], [0.1, 0.9]]], 'inside of the picture')
})
