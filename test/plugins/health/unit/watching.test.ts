import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openWatching } from '../../../../plugins/health/watching.js'
import { testFolder } from '../../../helpers/folder.js'

const session = (name: string) => ({ name }) as never

async function open (t: Test, { usual = true, folder = testFolder(t) } = {}) {
  const said: string[] = []
  const path = join(folder, 'watching.json')
  const watching = await openWatching({
    path,
    usual,
    monitor: {
      follow ({ name }) {
        said.push(`watches ${name}`)
        return () => { said.push(`leaves ${name}`) }
      },
      forget: name => { said.push(`forgets ${name}`) }
    },
    warn () {},
    onOff: name => { said.push(`told of ${name}`) }
  })
  return { watching, said, folder, path }
}

t.test('a printer is watched until somebody switches that off, also after a restart', async t => {
  const { watching, said, folder, path } = await open(t)
  const [a, b] = [session('a'), session('b')]
  const leave = watching.follow(a)
  watching.follow(b)
  await watching.change(a, false)
  await watching.change(a, false)
  t.same(said, ['watches a', 'watches b', 'leaves a', 'forgets a', 'told of a'], 'an old verdict does not stay')
  leave()
  t.equal(said.includes('leaves b'), false)
  const again = await open(t, { folder })
  again.watching.follow(a)
  again.watching.follow(b)
  t.same(again.said, ['watches b'])
  await again.watching.change(a, true)
  t.same(again.said, ['watches b', 'watches a'])
  await again.watching.forget('a')
  t.equal(await readFile(path, 'utf8').then(text => JSON.stringify(JSON.parse(text))), '{}')
})

t.test('the configuration says what holds for printers that nobody has chosen for', async t => {
  const { watching, said } = await open(t, { usual: false })
  const [a, b] = [session('a'), session('constructor')]
  watching.follow(a)
  watching.follow(b)
  t.same([said, watching.isWatched('a'), watching.isWatched('constructor')], [[], false, false])
  await watching.change(a, true)
  t.same([said, watching.isWatched('a')], [['watches a'], true])
  const gone = session('c')
  await watching.change(gone, true)
  t.same(said, ['watches a'], 'who has left is only remembered')
})
