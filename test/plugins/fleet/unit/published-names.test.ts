import t from 'tap'
import { openPublishedNames } from '../../../../plugins/fleet/node/published-names.js'
import { eventually } from '../../../helpers/eventually.js'
import { testFolder } from '../../../helpers/folder.js'

t.test('a node knows after a restart which printers it had published', async t => {
  const folder = testFolder(t)
  const open = () => openPublishedNames(folder, message => t.fail(message))
  const names = await open()
  names.add('x1c')
  names.add('p1s')
  await eventually(async () => (await open()).without([]).length === 2)
  t.strictSame((await open()).without(['p1s']), ['x1c'])
  await names.replace(['p1s'])
  t.strictSame((await open()).without([]), ['p1s'])
})
