import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks } from '../../../helpers/shown-in.js'

t.test('files go to the folder for which they were chosen, also while another one is picked', async t => {
  const hooks = createHooks({ effects: true })
  const sent: string[] = []
  const tree = { children: [{ id: '/b/', name: 'b', children: [] }] }
  const goOn: (() => void)[] = []
  const upload = (file: File, folder: string) => new Promise(resolve => {
    sent.push(folder + file.name)
    goOn.push(() => resolve({ tree }))
  })
  const { Files } = await pageModules(['web/page/files.js'], {
    packages: {
      components,
      'preact/hooks': hooks,
      shell: { t: String, hasPage: () => false, linkTo: String },
      parts: { upload, call: async () => tree }
    },
    files: {
      'web/page/lib.js': "export { html } from 'components'; export { useEffect, useRef, useState } from 'preact/hooks'",
      'web/page/api.js': "export { call } from 'parts'; export const has = () => false; export const callBlob = () => {}; export const linkOf = String",
      'web/page/upload.js': "import { createStore } from './store.js'; export { upload } from 'parts'; export const uploads = createStore([])",
      'web/page/token.js': "export const currentToken = () => ''",
      'web/page/dialogs.js': 'export const attempt = (_, work) => work(); export const confirm = () => {}',
      'web/page/name-dialog.js': 'export const NameDialog = () => null',
      'web/page/print-dialog.js': 'export const PrintDialog = () => null'
    }
  })
  const draw = () => hooks.draw(Files, { printer: 'x1c', view: { job: {} } })
  const settled = () => new Promise(setImmediate)
  const press = (words: string) => draw().find(({ name, text }) => name === 'button' && text === words)?.props.onClick()
  draw()
  await settled()
  press('printer.files.upload')
  draw().find(({ props: { type } }) => type === 'file')?.props
    .onChange({ currentTarget: { files: [new File(['x'], '1'), new File(['x'], '2'), new File(['x'], '3')] } })
  goOn[0]?.()
  await settled()
  press('printer.files.upload.here') // of the folder b, and then leaves the chooser
  goOn[1]?.()
  await settled()
  t.same(sent, ['/1', '/2', '/3'])
})
