import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { loadConfig } from '../../core/kernel/config.js'
import { testFolder } from '../helpers/folder.js'

const ROOT = join(import.meta.dirname, '..', '..')
const ADDON = join(ROOT, 'docs', 'deploy', 'home-assistant-addon')

interface Broker {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  readonly ssl?: boolean
}
interface Start {
  findBroker (token: string, supervisor: string): Promise<Broker | undefined>
  prepare (options: object, broker: Broker | undefined, places: object): Record<string, string>
}
const { findBroker, prepare } = await import(pathToFileURL(join(ADDON, 'start.mjs')).href) as Start

const placesIn = (t: Test) => {
  const folder = testFolder(t)
  return { config: join(folder, 'new', 'config.json'), data: join(folder, 'data') }
}
const BROKER = { host: 'core-mosquitto', port: 1883, username: 'add:ons', password: 'a secret of the broker', ssl: false }
const OPTIONS = { token: 'chosen-token', port: 8123 }

t.test('the broker of Home Assistant is asked of its supervisor', async t => {
  const asked: (string | undefined)[] = []
  let status = 200
  const supervisor = createServer((request, response) => {
    asked.push(request.url, request.headers.authorization)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ result: 'ok', data: BROKER }))
  })
  await new Promise<void>(resolve => { supervisor.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => supervisor.close())
  const address = `http://127.0.0.1:${(supervisor.address() as AddressInfo).port}`
  t.same(await findBroker('pass', address), BROKER)
  t.same(asked, ['/services/mqtt', 'Bearer pass'])
  status = 400
  t.equal(await findBroker('pass', address), undefined, 'there is none')
  t.equal(await findBroker('pass', 'http://127.0.0.1:1'), undefined, 'nobody answers')
})

t.test('the first start writes a configuration that is one, without a secret in it', async t => {
  const places = placesIn(t)
  t.same(prepare(OPTIONS, BROKER, places), {
    PRN_DATA_DIR: places.data,
    PRN_CONFIG: places.config,
    PRN_API_PORT: '8123',
    PRN_API_TOKEN: 'chosen-token',
    PRN_BROKER_PASSWORD: 'a secret of the broker'
  })
  const text = readFileSync(places.config, 'utf8')
  t.match(loadConfig(JSON.parse(text)).plugins, {
    homeassistant: { broker: 'mqtt://add%3Aons@core-mosquitto:1883', password: { env: 'PRN_BROKER_PASSWORD' } }
  })
  t.notMatch(text, /secret|chosen/)
  t.equal(statSync(places.config).mode & 0o77, 0, 'nobody else reads it')
})

t.test('what somebody wrote stays; without a broker there is none', async t => {
  const places = placesIn(t)
  t.strictSame(Object.keys(prepare({ token: null, port: 49152 }, undefined, places)), ['PRN_DATA_DIR', 'PRN_CONFIG', 'PRN_API_PORT'])
  t.equal(readFileSync(places.config, 'utf8'), '{}\n')
  prepare(OPTIONS, BROKER, places)
  const first = readFileSync(places.config, 'utf8')
  prepare(OPTIONS, { ...BROKER, host: 'other' }, places)
  t.equal(readFileSync(places.config, 'utf8'), first)
})

t.test('its description goes with the package', async t => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const config = readFileSync(join(ADDON, 'config.yaml'), 'utf8')
  t.match(config, `version: "${version}"`)
  for (const language of ['en', 'de']) {
    const texts = readFileSync(join(ADDON, 'translations', `${language}.yaml`), 'utf8')
    for (const option of ['token', 'port']) t.match(texts, new RegExp(`^  ${option}:$`, 'm'))
  }
})

t.test('the repository is one of add-ons, with pictures of the sizes that the store shows', async t => {
  const repository = parse(readFileSync(join(ROOT, 'repository.yaml'), 'utf8')) as Record<string, string>
  const { repository: { url } } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { repository: { url: string } }
  t.match(repository, { name: 'prnd', url: url.replace(/^git\+|\.git$/g, ''), maintainer: String })
  for (const [name, width, height] of [['icon.png', 128, 128], ['logo.png', 250, 100]] as const) {
    t.match(await sharp(join(ADDON, name)).metadata(), { format: 'png', width, height }, name)
  }
  const [, condition = ''] = /^RUN (package=.*) && \\$/m.exec(readFileSync(join(ADDON, 'Dockerfile'), 'utf8')) ?? []
  const chosen = async (content: Record<string, string>) => (await promisify(execFile)('sh', ['-c', `${condition}; echo "$package"`], {
    cwd: testFolder(t, content), env: { PATH: process.env.PATH, BUILD_VERSION: '2.0.0' }
  })).stdout.trim()
  t.equal(await chosen({}), 'prnd@2.0.0', 'from the registry')
  t.equal(await chosen({ 'prnd-2.0.1.tgz': '' }), './prnd-2.0.1.tgz', 'or the package beside it')
})
