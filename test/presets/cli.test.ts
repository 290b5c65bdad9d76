import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'basic-ftp'
import t, { type Test } from 'tap'
import { VERSION } from '../../core/index.js'
import { eventually } from '../helpers/eventually.js'
import { build, run } from '../outside/installed.js'
import { CLI, configured, off, parallelIn, prnd } from './prnd.js'

t.before(build)
const parallel = parallelIn(t)

parallel('help and version', async t => {
  const help = await prnd(t, ['--help'])
  t.equal(help.code, 0)
  for (const command of ['daemon', 'demo', 'mcp', 'emulate', 'printers', 'plugins', 'config', 'openapi']) {
    t.match(help.out, new RegExp(`^  ${command} `, 'm'), command)
  }
  t.same(await prnd(t, ['--version']), { code: 0, signal: null, out: `${VERSION}\n`, err: '' })
  const one = await prnd(t, ['daemon', '--help'])
  t.equal(one.code, 0)
  for (const option of ['--config <file>', '--demo [models]', '--speed <n>']) t.ok(one.out.includes(option), option)
})

parallel('wrong usage ends with 2 and says what is wrong', async t => {
  for (const [args, says] of [
    [[], /^Usage: prnd/],
    [['deamon'], /unknown command 'deamon'[^]*Did you mean daemon\?/],
    [['daemon', '--speed', '0'], /'--speed <n>' argument '0' is invalid. a number above 0 is needed/],
    [['demo', ','], /value ',' is invalid for argument 'models'\. at least one model is needed/],
    [['emulate', '--count', '1.5'], /argument '1\.5' is invalid\. a whole number from 1 to 9999 is needed/]
  ] as const) {
    const { code, out, err } = await prnd(t, args)
    t.equal(code, 2, args.join(' '))
    t.match(err, says)
    t.equal(out, '')
  }
})

parallel('config: where it is and whether it is good', async t => {
  const { file, folder } = await configured(t, { printers: [off, { ...off, name: 'b', serial: 'S2', accessCode: { env: 'B_CODE' } }] })
  t.equal((await prnd(t, ['config', 'path'], { PRN_CONFIG: '/x/y.json' })).out, '/x/y.json\n')
  t.equal((await prnd(t, ['config', 'path', '-c', file])).out, `${file}\n`)
  t.match(await prnd(t, ['config', 'check', '-c', file], { B_CODE: 'x' }),
    { code: 0, out: `${file} is good: 2 printers, options for 0 plugins.\n`, err: '' })
  t.match(await prnd(t, ['config', 'check'], { PRN_CONFIG: file }), {
    code: 1, out: '', err: 'printers[1].accessCode: the environment variable B_CODE is not set [PRN_ERR_CONFIG]\n'
  })
  t.match(await prnd(t, ['config', 'check'], { HOME: folder, XDG_CONFIG_HOME: folder, PRN_DATA_DIR: folder }),
    { code: 0, out: /^There is no .*config\.json yet; the defaults apply\.$/m })
})

parallel('a configuration that is wrong ends every command with 1, the key and the nearest one', async t => {
  const { file } = await configured(t, { printers: [{ ...off, acessCode: 'x' }] })
  const err = `${file}: printers[0]: unknown key 'acessCode'; did you mean 'accessCode'? [PRN_ERR_CONFIG]\n`
  for (const args of [['daemon'], ['config', 'check'], ['mcp']]) {
    t.same(await prnd(t, [...args, '-c', file]), { code: 1, signal: null, out: '', err }, args.join(' '))
  }
  t.match(await prnd(t, ['daemon', '-c', `${file}.none`]), { code: 1, err: `there is no file ${file}.none [PRN_ERR_CONFIG]\n` })
})

parallel('plugins: what there is, and whether it can be loaded', async t => {
  const { file, folder } = await configured(t, { plugins: { print: false } })
  const list = await prnd(t, ['plugins', 'list', '-c', file])
  t.equal(list.code, 0, list.err)
  t.match(list.out, /^climate +2\.0\.0 +kernel \^2\.0\.0 +\d+ routes +\d+ tools +touches commands/m)
  t.notMatch(list.out, /^print /m)
  t.match(await prnd(t, ['plugins', 'check', '-c', file]), { code: 0, out: /^All \d+ plugins can be loaded\./, err: '' })
  t.notOk(existsSync(join(folder, 'data')), 'nothing is written')
})

parallel('openapi: the document, compact or pretty, without a port', async t => {
  const { code, out, err } = await prnd(t, ['openapi'])
  t.equal(code, 0, err)
  const document = JSON.parse(out)
  t.match(document, { openapi: '3.0.3', info: { version: VERSION } })
  t.ok(Object.keys(document.paths).length > 30)
  t.equal(out.trim().split('\n').length, 1)
  const pretty = run(t, [CLI, 'openapi', '--pretty'])
  await once(pretty.child.stdout ?? pretty.child, 'data')
  pretty.child.stdout?.destroy()
  t.same(await pretty.gone, [0, null], 'a reader that goes away early is no error')
  t.match(pretty.stdout(), /^\{\n {2}"openapi"/)
})

parallel('printers list', async t => {
  const { file } = await configured(t, { printers: [off] })
  t.match(await prnd(t, ['printers', 'list', '-c', file]), { code: 0, out: /^off +127\.0\.0\.1 +S1$/m })
  const { file: empty } = await configured(t, {})
  t.match(await prnd(t, ['printers', 'list', '-c', empty]), { code: 0, out: `No printer is configured in ${empty}.\n` })
})

interface Emulated { readonly name: string, readonly accessCode: string, readonly ports: { readonly ftps: number } }

/** The virtual printers of a command that has started. */
async function emulate (t: Test, ...args: string[]) {
  const emulator = run(t, [CLI, 'emulate', ...args])
  await eventually(() => emulator.stderr().includes('run until Ctrl+C'), 60_000)
  return { emulator, config: JSON.parse(emulator.stdout()) as { printers: readonly Emulated[] } }
}

async function projectsOn ({ accessCode, ports }: Emulated): Promise<string[]> {
  const client = new Client()
  try {
    await client.access({
      host: '127.0.0.1',
      port: ports.ftps,
      user: 'bblp',
      password: accessCode,
      secure: 'implicit',
      secureOptions: { rejectUnauthorized: false }
    })
    return (await client.list('/')).map(({ name }) => name).filter(name => name.endsWith('.3mf'))
  } finally {
    client.close()
  }
}

parallel('a command ends with its work, also when Node sees nothing to wait for', async t => {
  const { folder, file } = await configured(t, { printers: [off] })
  const unseen = join(folder, 'unseen.mjs')
  await writeFile(unseen, `
    import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { readFile } = fs
    fs.readFile = async (...args) => {
      if (String(args[0]).endsWith('config.json')) await new Promise(resolve => setTimeout(resolve, 20).unref())
      return await readFile(...args)
    }
    syncBuiltinESMExports()`)
  const { code, out, err } = await prnd(t, ['printers', 'list', '-c', file], { NODE_OPTIONS: `--import ${unseen}` })
  t.equal(code, 0, err)
  t.match(out, /^off +127/m)
})

parallel('emulate: sample projects on every card, unless empty ones are wanted', async t => {
  const { config: { printers } } = await emulate(t, 'p1s,h2d')
  t.equal(printers.length, 2)
  for (const printer of printers) t.ok((await projectsOn(printer)).includes('calibration-cube.gcode.3mf'), printer.name)
  const { config: bare } = await emulate(t, 'p1s', '--empty-card')
  t.same(await projectsOn(bare.printers[0] as Emulated), [])
})

parallel('emulate: virtual printers, and the configuration for them', async t => {
  const { emulator, config } = await emulate(t, 'p1s,a1mini', '--count', '3')
  t.same(config.printers.map(({ name }) => name), ['virtual-p1s', 'virtual-a1-mini', 'virtual-p1s-2'])
  const { file } = await configured(t, config)
  t.match(await prnd(t, ['printers', 'test', 'virtual-p1s-2', '-c', file]), { code: 0, out: /^virtual-p1s-2: connected, P1S/ })
  emulator.child.kill('SIGINT')
  t.same(await emulator.gone, [0, null])
})
