import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { shellTexts } from '../../../../plugins/shell/index.js'
import { texts } from '../../../../plugins/web/texts/index.js'

const folder = new URL('../../../../plugins/web/page/', import.meta.url)
const scripts = readdirSync(folder).filter(name => name.endsWith('.js'))
  .map(name => readFileSync(new URL(name, folder), 'utf8')).join('\n')
const known: Readonly<Record<string, string>> = { ...shellTexts.en, ...texts.en }

/** A key in quotes; one that is put together from parts ends with the first of them. */
const KEY = /(['`])((?:printer|condition)\.[\w.]*)(\1|\$\{)/g

t.test('every text that the page asks for is there', async t => {
  const asked = [...scripts.matchAll(KEY)].map(([, , key = '', end]) => ({ key, isWhole: end !== '${' }))
  t.ok(asked.length > 150, `${asked.length} places`)
  const has = ({ key, isWhole }: typeof asked[number]) => isWhole
    ? [key, `${key}.one`].some(name => name in known)
    : Object.keys(known).some(name => name.startsWith(key))
  t.same(asked.filter(one => !has(one)).map(({ key }) => key), [])
})

t.test('every text of the page is asked for', async t => {
  const parts = [...scripts.matchAll(KEY)].filter(([, , , end]) => end === '${').map(([, , key = '']) => key)
  const whole = new Set([...scripts.matchAll(KEY)].map(([, , key]) => key))
  const unused = Object.keys(texts.en).filter(key => !whole.has(key) && !whole.has(key.replace(/\.(one|other)$/, '')) &&
    !parts.some(part => part !== 'printer.' && key.startsWith(part)))
  const tabs = ['files', 'controls', 'settings', 'history', 'advanced'].map(name => `printer.${name}`)
  t.same(unused.filter(key => !tabs.includes(key)), ['printer.title'].filter(key => unused.includes(key)))
})
