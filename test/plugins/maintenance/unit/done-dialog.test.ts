import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

const FORM = { day: '2026-11-29', note: ' oiled ' }
class FormData { get (name: keyof typeof FORM) { return FORM[name] } }

t.test('a photo that fails is sent again, and what was done is not recorded twice', async t => {
  const hooks = createHooks()
  const calls: string[] = []
  let photos = 0
  const shell = {
    t: (key: string, { reason = '' } = {}) => key + reason,
    shell: { language: 'en' },
    number: String,
    call: async (method: string, path: string) => {
      calls.push(`${method} ${path}`)
      return { done: [{ id: 'one' }] }
    },
    upload: async (path: string) => {
      calls.push(path)
      if (photos++ === 0) throw new Error('no room')
    }
  }
  const { DoneDialog } = await pageModules(['maintenance/page/done.js'], {
    packages: { shell, components, 'preact/hooks': hooks }, globals: { FormData, URL: { createObjectURL: () => 'blob:photo', revokeObjectURL () {} } }
  })
  const props = { printer: 'x1c', tasks: [{ id: 'lubricate', own: true, name: 'Oil', why: {} }], onDone: async () => {}, onClose () {} }
  const draw = () => hooks.draw(DoneDialog, props)
  const field = draw().find(({ props: { type } }) => type === 'file')
  field?.props.onChange({ target: { files: [{ size: 10 }] } })
  const send = async () => {
    const form = draw().find(({ name }) => name === 'form')
    await form?.props.onSubmit({ preventDefault () {}, currentTarget: {}, target: {} })
  }
  await send()
  t.match(draw().map(({ text }) => text).join(' '), /no room/)
  await send()
  t.same(calls, ['POST maintenance/done', 'maintenance/done/one/photo', 'maintenance/done/one/photo'])
})
