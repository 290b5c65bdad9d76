import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { offerToken, terminal } from '../../../presets/cli/offer-token.js'
import { testFolder } from '../../helpers/folder.js'

/** Somebody who answers every question so. */
function person (answer: string | undefined) {
  const said: string[] = []
  let asked = 0
  return {
    said,
    get asked () { return asked },
    say (line: string) { said.push(line) },
    async ask () {
      asked++
      return answer
    }
  }
}

async function configured (folder: string, api?: object): Promise<string> {
  const path = join(folder, 'config.json')
  await writeFile(path, JSON.stringify({ dataDir: folder, printers: [], ...(api && { api }) }), { mode: 0o600 })
  return path
}

t.test('whoever says yes gets a token, which holds from then on', async t => {
  const path = await configured(testFolder(t), { host: '0.0.0.0' })
  const somebody = person(' Yes ')
  await offerToken(path, somebody)
  const { api } = JSON.parse(await readFile(path, 'utf8'))
  t.match(api, { host: '0.0.0.0', token: /^[0-9a-f]{48}$/ })
  t.ok(somebody.said.some(line => line.includes(api.token)), 'it is shown')
  t.equal((await stat(path)).mode & 0o077, 0, 'and nobody else may read it')
  await offerToken(path, somebody)
  t.equal(somebody.asked, 1)
})

t.test('whoever says no, or nothing, is asked once', async t => {
  for (const answer of ['', 'n', undefined]) {
    const path = await configured(testFolder(t))
    const before = await readFile(path, 'utf8')
    const somebody = person(answer)
    await offerToken(path, somebody)
    await offerToken(path, somebody)
    t.equal(somebody.asked, 1, String(answer))
    t.equal(await readFile(path, 'utf8'), before)
    t.match(somebody.said.at(-1), /PRN_API_TOKEN/)
  }
})

t.test('nobody is asked who has decided already, or who is not there', async t => {
  for (const api of [{ token: 'a-long-token' }, { host: '127.0.0.1' }, { trustLan: true }]) {
    const somebody = person('y')
    await offerToken(await configured(testFolder(t), api), somebody)
    t.equal(somebody.asked, 0, JSON.stringify(api))
  }
  if (!process.stdin.isTTY) t.equal(terminal(), undefined, 'no terminal, no question')
})
