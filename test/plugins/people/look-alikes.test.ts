import t from 'tap'
import { lookAlikeProblem, skeletonOf } from '../../../plugins/people/look-alikes.js'
import { boot } from '../../helpers/boot.js'
import { ask } from './people.js'

t.test('names that could be taken for others are refused, and those of the world are not', async t => {
  for (const name of ['Anna', 'Müller', 'José María', 'Анна', 'Ελένη', '王小明', '田中 Taro', 'print-bot 2', 'O’Brien', 'Nguyễn', 'محمد', 'שרה']) {
    t.equal(lookAlikeProblem(name), undefined, name)
  }
  for (const name of ['An\u200Bna', 'Anna\u2060', 'A\u00ADnna', 'anna\u202E', 'An\u00A0na', '\uFEFFAnna']) {
    t.match(lookAlikeProblem(name), /invisible/, JSON.stringify(name))
  }
  for (const name of ['Аnna', 'Annа', 'Ænnα', 'pаypal bot']) t.match(lookAlikeProblem(name), /several scripts/, name)
  for (const name of ['Ａｎｎａ', '𝐀nna', 'ﬁne']) t.match(lookAlikeProblem(name), /ordinary letters/, name)
  t.equal(skeletonOf('сосо'), skeletonOf('Coco'), 'a whole word of another script')
})

t.test('users and keys: neither invisible letters nor the twin of somebody who is there', async t => {
  const { kernel } = await boot(t, { models: [] })
  const { store } = kernel.services.people
  await store.addUser('Coco', 'administrate', undefined, null)
  const key = await store.addKey({ name: 'chief', role: 'administrate', printers: undefined, expiresAt: undefined, owner: undefined })
  const add = (name: string) => ask(kernel, 'POST', '/api/people/users', { name, role: 'view' }, { key })
  t.match(await add('Anna\u200B'), { status: 400, body: { reason: /invisible/ } })
  t.match(await add('сосо'), { status: 409, body: { error: 'name_taken' } })
  t.match(await add('tоken'), { status: 400 })
  const addKey = (name: string) => ask(kernel, 'POST', '/api/people/keys', { name, role: 'view', owner: 'Coco' }, { key })
  t.match(await addKey('chiеf'), { status: 400, body: { reason: /scripts/ } })
  t.match(await addKey('Chief'), { status: 409 })
})
