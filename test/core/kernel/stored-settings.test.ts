import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Type, type TObject, type TSchema } from 'typebox'
import { definePlugin } from '../../../core/index.js'
import { createStoredSettings, settingsProblem } from '../../../core/kernel/stored-settings.js'
import { testFolder } from '../../helpers/folder.js'

const schema = Type.Object({
  warmC: Type.Number({ default: 45, minimum: 0, maximum: 120 }),
  sound: Type.Boolean({ default: true }),
  mode: Type.Enum(['quiet', 'loud'], { default: 'quiet' }),
  name: Type.String({ default: '', maxLength: 20 })
})
const DEFAULTS = { warmC: 45, sound: true, mode: 'quiet', name: '' }
const refuse = (message: string) => { throw new Error(message) }

t.test('settings have their defaults until they are changed, and changes outlive a restart', async t => {
  const folder = testFolder(t)
  const first = createStoredSettings('glow', { schema })
  await first.open(folder, refuse)
  t.same(first.get(), DEFAULTS)
  t.same(await first.change({ warmC: 60, mode: 'loud' }), { ...DEFAULTS, warmC: 60, mode: 'loud' })
  const second = createStoredSettings('glow', { schema })
  await second.open(folder, refuse)
  t.same(second.get(), { ...DEFAULTS, warmC: 60, mode: 'loud' })
  t.throws(() => { (second.get() as { warmC: number }).warmC = 1 }, TypeError, 'the values are frozen')
  t.same(JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8')), { warmC: 60, mode: 'loud' },
    'a new default reaches users who never chose a value')
})

t.test('changes made at the same time do not undo each other', async t => {
  const settings = createStoredSettings('glow', { schema })
  const folder = testFolder(t)
  await settings.open(folder, refuse)
  await Promise.all([settings.change({ warmC: 50 }), settings.change({ sound: false })])
  t.same(settings.get(), { ...DEFAULTS, warmC: 50, sound: false })
  t.same(JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8')), { warmC: 50, sound: false })
})

t.test('invalid changes are refused in the words of the schema, and nothing changes', async t => {
  const folder = testFolder(t)
  const settings = createStoredSettings('glow', { schema })
  await settings.open(folder, refuse)
  const refused: readonly [object, RegExp][] = [
    [{ warmC: 121 }, /warmC must be <= 120/], [{ warmC: '50' }, /warmC must be number/], [{ warmC: null }, /warmC must be number/],
    [{ mode: 'noisy' }, /mode must be one of quiet, loud/], [{ warm: 50 }, /unknown key 'warm'; did you mean 'warmC'/],
    [{ sound: false, name: 'x'.repeat(21) }, /name must NOT have more than 20/], [JSON.parse('{"__proto__":{"warmC":1}}'), /unknown key '__proto__'/]
  ]
  for (const [changes, reason] of refused) {
    await t.rejects(settings.change(changes), { code: 'PRN_ERR_BAD_INPUT', message: reason }, JSON.stringify(changes))
  }
  t.same(settings.get(), DEFAULTS)
  t.same(await readdir(folder), [])
})

t.test('a stored value that a new version of the plugin no longer takes is replaced by its default', async t => {
  const folder = testFolder(t, { 'settings.json': JSON.stringify({ warmC: 300, sound: false, older: 1 }) })
  const warnings: string[] = []
  const settings = createStoredSettings('glow', { schema })
  await settings.open(folder, message => warnings.push(message))
  t.same(settings.get(), { ...DEFAULTS, sound: false })
  t.equal(warnings.length, 1)
  t.match(warnings[0], /settings\.json: 'warmC' is no longer valid \(must be <= 120\); its default is used/)
  await settings.change({ name: 'x' })
  t.match(JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8')), { sound: false, older: 1 }, 'the others stay')
})

t.test('a damaged file is set aside', async t => {
  const folder = testFolder(t, { 'settings.json': '{"warmC": 6' })
  const warnings: string[] = []
  const settings = createStoredSettings('glow', { schema })
  await settings.open(folder, message => warnings.push(message))
  t.same(settings.get(), DEFAULTS)
  t.match(warnings.join(), /is damaged/)
})

t.test('values that cannot be stored are reported to the caller', async t => {
  const folder = testFolder(t)
  const settings = createStoredSettings('glow', { schema })
  await settings.open(folder, refuse)
  await mkdir(join(folder, 'settings.json'))
  await t.rejects(settings.change({ warmC: 50 }), { code: 'PRN_ERR_NOT_A_FILE' })
})

t.test('reading them before they are loaded names the mistake', async t => {
  t.throws(() => createStoredSettings('glow', { schema }).get(), /settings of plugin 'glow' are not loaded yet: read them in operations/)
  t.throws(() => createStoredSettings('glow', undefined).get(), /plugin 'glow' declares no settings/)
})

t.test('settings that the page cannot show are refused by name', async t => {
  const one = (name: string, property: TSchema) => ({ schema: Type.Object({ [name]: property }) })
  const refused: readonly [unknown, RegExp][] = [
    [{ shema: schema }, /the schema must be an object/],
    [{ schema: Type.String() }, /the schema must be an object/],
    [{ schema, acess: 'network' }, /unknown member 'acess'; did you mean 'access'/],
    [{ schema, access: 'everyone' }, /access must be one of network, trusted/],
    [one('warmC', Type.Number()), /setting 'warmC': it needs a default/],
    [one('list', Type.Array(Type.String(), { default: [] })), /setting 'list': it must be a boolean, number/],
    [one('token', Type.String({ default: '', secret: true })), /setting 'token': secrets belong in the options/],
    [one('__proto', Type.Boolean({ default: true })), /its name must be a letter/],
    [one('warmC', Type.Number({ default: 5, minimum: 10 })), /defaults of the settings are invalid: warmC must be >= 10/],
    [one('name', Type.String({ default: '', pattern: '[' })), /defaults of the settings are invalid: .*regular expression/i],
    [{ schema, labels: { fr: {} } }, /labels of settings: unknown language 'fr'/],
    [{ schema, labels: { de: { warm: 'Warm' } } }, /labels of settings: unknown setting 'warm'; did you mean 'warmC'/]
  ]
  for (const [settings, problem] of refused) {
    t.match(settingsProblem(settings), problem)
    t.throws(() => definePlugin({ name: 'glow', version: '1.0.0', kernel: '*', settings: settings as { schema: TObject } }),
      { message: problem })
  }
  t.equal(settingsProblem({ schema, access: 'network', labels: { de: { warmC: 'Warm ab' } } }), undefined)
})
