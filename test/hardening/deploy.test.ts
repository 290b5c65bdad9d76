import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { systemdUnit } from '../../presets/cli/service-manager/systemd-unit.js'

const ROOT = join(import.meta.dirname, '..', '..')
const CONTAINER = join(ROOT, 'docs', 'deploy', 'Containerfile')
const COMPOSE = join(ROOT, 'docs', 'deploy', 'compose.yaml')
const BIN = 'dist/presets/cli/main.js'
/** That of `sudo prnd service install`. */
const { text: unit } = systemdUnit({
  node: '/usr/bin/node', program: `/opt/prnd/${BIN}`, configFolder: '/etc/prnd', user: 'root', uid: 0, home: '/'
})

const read = (path: string) => readFile(path, 'utf8')
const known = async () => new Set([...(await read(join(ROOT, 'core', 'kernel', 'config.ts'))).matchAll(/PRN_[A-Z_]+/g),
  ...(await read(join(ROOT, 'core', 'kernel', 'config-file.ts'))).matchAll(/PRN_[A-Z_]+/g)].map(([name]) => name))

t.test('the unit starts what there is, and may write where it must', async t => {
  t.match(unit.replaceAll('"', ''),
    new RegExp(`^ExecStart=/usr/bin/node( --\\S+)+ /opt/prnd/${BIN} daemon --config /etc/prnd/config.json$`, 'm'))
  t.match(unit, /^StateDirectory=prnd$/m)
  t.match(unit, /PRN_DATA_DIR=\/var\/lib\/prnd/)
  t.match(unit, /^ReadWritePaths=\/etc\/prnd$/m, 'access codes are moved out of the configuration')
  t.notMatch(unit, 'MemoryDenyWriteExecute=yes', 'the compiler of Node writes code')
})

t.test('both name only settings and files that exist', async t => {
  const [container, settings] = [await read(CONTAINER), await known()]
  for (const [name] of `${unit}\n${container}`.matchAll(/PRN_[A-Z_]+/g)) t.ok(settings.has(name), name)
  const { bin } = JSON.parse(await read(join(ROOT, 'package.json'))) as { bin: { prnd: string } }
  t.equal(bin.prnd, `./${BIN}`)
  t.match(container, new RegExp(`^ENTRYPOINT .*\\\\\n {2}"${BIN}"\\]$`, 'm'))
  const copied = [...container.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '))
  t.ok(copied.length > 4)
  for (const source of copied) t.ok(existsSync(join(ROOT, source)), source)
})

t.test('Compose builds that container, asks for a token, and keeps what the container keeps', async t => {
  const [compose, container, settings] = [await read(COMPOSE), await read(CONTAINER), await known()]
  for (const [name] of compose.matchAll(/PRN_[A-Z_]+/g)) t.ok(settings.has(name), name)
  const [, context = ''] = /^ +context: (\S+)$/m.exec(compose) ?? []
  const [, dockerfile = ''] = /^ +dockerfile: (\S+)$/m.exec(compose) ?? []
  t.equal(join(COMPOSE, '..', context, dockerfile), CONTAINER)
  t.match(compose, /^ +PRN_API_TOKEN: \$\{PRN_API_TOKEN:\?/m, 'without one it does not start')
  const volumes = JSON.parse(/^VOLUME (\[.*\])$/m.exec(container)?.[1] ?? '[]') as string[]
  t.equal(volumes.length, 2)
  for (const folder of volumes) t.match(compose, new RegExp(`^ +- ${folder.slice(1)}:${folder}$`, 'm'))
})

t.test('both have memory handed out alike, in words that Node knows', async t => {
  const settings = (text: string) => {
    const start = /^(?:ExecStart=|ENTRYPOINT ).*$/m.exec(text)?.[0] ?? ''
    return {
      flags: [...start.matchAll(/--[\w-]+=\d+/g)].map(([flag]) => flag),
      allocator: [...text.matchAll(/MALLOC_\w+=[^\s"]+/g)].map(([setting]) => setting)
    }
  }
  const { allocator, flags } = settings(unit)
  t.same(settings(await read(CONTAINER)), { allocator, flags })
  t.equal(allocator.length, 3)
  t.equal(flags.length, 4)
  const asked = 'console.log(require("v8").getHeapStatistics().heap_size_limit / 1048576 > 1024)'
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', asked])
  t.equal(stdout, 'true\n')
})

t.test('the container does not run as root, and its lines are instructions', async t => {
  const container = await read(CONTAINER)
  const lines = container.replaceAll('\\\n', '').split('\n').filter(line => line !== '' && !line.startsWith('#'))
  for (const line of lines) {
    t.match(line, /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) /)
    const [, list] = /^(?:ENTRYPOINT|CMD|VOLUME) (.+)$/.exec(line) ?? []
    if (list !== undefined) t.ok(Array.isArray(JSON.parse(list)), line)
  }
  const [, check = ''] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(container) ?? []
  const [program, flag, script] = JSON.parse(check) as string[]
  t.same([program, flag], ['node', '-e'])
  await t.rejects(promisify(execFile)(process.execPath, ['-e', String(script)], { env: { PRN_API_PORT: '1' } }), { code: 1, stderr: '' })
  t.ok(lines.indexOf('USER node') < lines.findIndex(line => line.startsWith('ENTRYPOINT')))
})
