import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openDisplayNames, type Claim } from '../../../../plugins/fleet/hub/display-names.js'
import { eventually } from '../../../helpers/eventually.js'
import { testFolder } from '../../../helpers/folder.js'

const claim = (claimant: string, serial: string, name = 'p1s'): Claim => ({ claimant, name, serial })
const A = claim('hall/a', 'A')
const B = claim('hall/b', 'B')

t.test('a plain name never moves to another printer, also of the same site', async t => {
  const folder = testFolder(t)
  const logged: string[] = []
  const open = () => openDisplayNames(folder, { warn: (_, text) => logged.push(text) })
  const names = await open()
  t.same([...names.assign([A])], [['hall/a', 'p1s']])
  const both = [['hall/a', 'p1s'], ['hall/b', 'p1s@hall-b']]
  t.same([...names.assign([A, B])], both)
  t.same([...names.assign([B])], [['hall/b', 'p1s@hall-b']], 'that of a is renamed or removed')
  t.match([names.problems, logged.at(-1)], [[/'p1s' was the name of another printer, of hall\/a;.*'p1s@hall-b'/], /another printer/])
  t.same([...names.assign([A, B])], both, 'and comes back')

  await eventually(async () => /"serial":"A"/.test(await readFile(join(folder, 'names.json'), 'utf8').catch(() => '')))
  const again = await open()
  t.same([...again.assign([B])], [['hall/b', 'p1s@hall-b']], 'after a restart of the hub')
  t.same([...again.assign([claim('hall/c', 'A'), B])], [['hall/c', 'p1s'], ['hall/b', 'p1s@hall-b']],
    'a node that replaces another has its printer')
  t.same([...again.assign([claim('shed/c', 'A')])], [['shed/c', 'p1s@shed-c']], 'at another site anybody could say so')
  again.assign([])
  again.release(new Set())
  t.same([...again.assign([B])], [['hall/b', 'p1s']], 'a name that is free')
  t.same(again.problems, [])
})

t.test('names that an earlier version wrote stay, and do not move either', async t => {
  const folder = testFolder(t)
  await writeFile(join(folder, 'names.json'), '{"p1s":"hall/a"}')
  const open = () => openDisplayNames(folder, { warn: (_, text) => t.notMatch(text, /damaged/) })
  t.same([...(await open()).assign([B])], [['hall/b', 'p1s@hall-b']], 'its serial number is not known')
  t.same([...(await open()).assign([A, B])], [['hall/a', 'p1s'], ['hall/b', 'p1s@hall-b']])
})
