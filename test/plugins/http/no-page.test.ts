import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'

t.test('an unknown address is a page for a person who looks, and an error in their form for programs', async t => {
  const { kernel: { app } } = await boot(t, { models: [], config: { dataDir: testFolder(t), printers: [] } })
  const ask = async (url: string, headers = {}) => {
    const { statusCode, headers: { 'content-type': type }, body } = await app.inject({ url, headers })
    return { statusCode, type, body }
  }
  const person = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const html = /^text\/html/
  t.match(await ask('/nothing', person), { statusCode: 404, type: html, body: /There is no such page.*\/nothing.*href="\/"/ })
  t.match(await ask('/nichts', { ...person, 'accept-language': 'de' }), { statusCode: 404, body: /Diese Seite gibt es nicht/ })
  t.match(await ask('/mei', { ...person, 'accept-language': 'zh' }), { statusCode: 404, body: /没有这个页面/ })
  const hostile = await ask('/%3Cscript%3Ealert(1)%3C/script%3E', person)
  t.match(hostile, { statusCode: 404, type: html })
  t.notMatch(hostile.body, '<script>')
  for (const [url, headers] of [['/nothing', {}], ['/api/nothing', person], ['/nothing', { accept: 'application/json' }]] as const) {
    t.match(await ask(url, headers), { statusCode: 404, type: /^application\/json/, body: /no_route/ }, `${url} ${JSON.stringify(headers)}`)
  }
})
