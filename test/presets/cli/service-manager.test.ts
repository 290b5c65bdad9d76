import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { install, remove, status } from '../../../presets/cli/commands/service.js'
import { managedService, type Machine } from '../../../presets/cli/service-manager/managed-service.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { CLI, configured } from '../prnd.js'

const execute = promisify(execFile)

const ODD = '/srv/a "b" & <c> 100% $x\\y'
const machine = (over: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  user: 'ada',
  uid: 1000,
  home: '/srv/ada',
  env: { PRN_CONFIG: `${ODD}/config.json`, PRN_DATA_DIR: `${ODD}/data` },
  node: '/opt/node 22/bin/node',
  program: `${ODD}/main.js`,
  hasSystemd: true,
  ...over
})

const analyze = findProgram('systemd-analyze')

t.test('systemd understands both units', { skip: analyze === undefined && 'no systemd-analyze' }, async t => {
  for (const [uid, scope] of [[0, '--system'], [1000, '--user']] as const) {
    const { text } = managedService(machine({ uid, env: {}, node: process.execPath, program: '/opt/prnd/100% main.js' }), undefined)
    const file = join(testFolder(t), 'prnd.service')
    await writeFile(file, text)
    const { stdout, stderr } = await execute(analyze ?? '', ['verify', scope, '--man=no', '--recursive-errors=no', file])
      .catch((error: { stdout: string, stderr: string }) => error)
    t.equal([stdout, stderr].join('').split('\n').filter(line => line.includes('prnd.service')).join('\n'), '', scope)
  }
})

/** A program's arguments as the service manager would hand them over, read by somebody else's parser. */
const READ_PLIST = 'import sys, plistlib, json; print(json.dumps(plistlib.load(open(sys.argv[1], "rb"))))'
const READ_TASK = `
import sys, json
from xml.etree import ElementTree
root = ElementTree.fromstring(open(sys.argv[1], 'rb').read())
print(json.dumps({ e.tag.split('}')[1]: e.text for e in root.iter() }))`
const python = findProgram('python3')

t.test('launchd and Windows get the very paths', { skip: python === undefined && 'no python3' }, async t => {
  const read = async ({ text, encoding }: ReturnType<typeof managedService>, program: string) => {
    const file = join(testFolder(t), 'file')
    await writeFile(file, text, encoding)
    return JSON.parse((await execute(python ?? '', ['-c', program, file])).stdout) as Record<string, never>
  }
  const agent = await read(managedService(machine({ platform: 'darwin' }), undefined), READ_PLIST)
  t.match(agent, {
    ProgramArguments: ['/opt/node 22/bin/node', /^--max/, /^--v8/, /^--initial/, /^--max-old/, `${ODD}/main.js`, 'daemon', '--config', `${ODD}/config.json`],
    EnvironmentVariables: { PRN_DATA_DIR: `${ODD}/data` },
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false }
  })
  const windows = machine({ platform: 'win32', user: 'DESK\\Ada & Co', env: { PRN_CONFIG: '/config.json' }, program: 'C:\\a & b\\main.js' })
  const task = await read(managedService(windows, undefined), READ_TASK)
  t.match(task, { UserId: 'DESK\\Ada & Co', Command: '"/opt/node 22/bin/node"', Arguments: /"C:\\a & b\\main\.js" daemon --config \S+$/ })
})

t.test('what would not start is refused, with what to do', async t => {
  const refused = (over: Partial<Machine>, message: RegExp, config?: string) =>
    t.throws(() => managedService(machine(over), config), { message, code: 'PRN_ERR_NO_SERVICE_MANAGER' })
  refused({ program: '/srv/ada/.npm/_npx/1/node_modules/prnd/main.js' }, /npm install --global prnd/)
  refused({ uid: 0, env: {}, node: '/run/user/1000/fnm/bin/node' }, /cannot use \/run\/user\/1000\/fnm\/bin\/node.*without sudo/)
  refused({ uid: 0, env: {} }, /\/etc\/prnd\/config\.json/, '/srv/config.json')
  refused({ hasSystemd: false }, /run: \/opt\/node 22\/bin\/node .* daemon --config/)
  refused({ platform: 'darwin', uid: 0 }, /without sudo/)
  refused({ platform: 'win32' }, /"dataDir"/)
  refused({ program: '/srv/a\nUser=root' }, /No service manager takes the path/)
})

/** Reads the unit as far as ours has something to read, starts what it says, and notes what it was asked. */
const SYSTEMCTL = `#!/bin/bash
here=$(dirname "$0")
echo "systemctl $*" >> "$here/asked"
pid=$(cat "$here/pid" 2>/dev/null)
alive () { [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; }
stop () { if alive; then kill "$pid"; while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done; fi; }
case "$2" in
  restart)
    stop
    eval "export $(sed -n 's/^Environment=//p' "$here/prnd.service" | tr '\\n' ' ')"
    eval "$(sed -n 's/^ExecStart=//p' "$here/prnd.service") >/dev/null 2>&1 &"
    echo $! > "$here/pid" ;;
  disable) stop ;;
  is-active) if alive; then echo active; else echo inactive; exit 3; fi ;;
esac
`

/** What is printed while `work` runs. */
async function printed (t: Test, work: () => Promise<void>): Promise<string> {
  const said = [t.capture(console, 'log'), t.capture(console, 'error')]
  await work()
  const text = said.flatMap(calls => calls()).map(({ args }) => args.join(' ')).join('\n')
  for (const calls of said) calls.restore()
  return text
}

t.test('installed, seen running, removed', async t => {
  const { file, folder } = await configured(t, { printers: [] })
  const home = testFolder(t)
  const bin = join(home, '.config', 'systemd', 'user')
  await mkdir(bin, { recursive: true })
  for (const [name, text] of [['systemctl', SYSTEMCTL], ['loginctl', '#!/bin/sh\nexit 1\n']] as const) {
    await writeFile(join(bin, name), text)
    await chmod(join(bin, name), 0o755)
  }
  const { PATH: before = '', XDG_RUNTIME_DIR: session } = process.env
  const { exitCode } = process
  process.env.PATH = bin + delimiter + before
  t.teardown(() => {
    process.env.PATH = before
    process.exitCode = exitCode // `status` sets it
  })
  const here = machine({ home, env: { XDG_RUNTIME_DIR: session }, node: process.execPath, program: CLI })
  const options = { config: file }
  t.match(await printed(t, () => install({ ...options, dryRun: true }, here)), /would be written:[^]*ExecStart=[^]*enable-linger ada/)
  t.match(await printed(t, () => status(options, here)), /Not installed: prnd service install/)
  await t.rejects(install({ config: `${file}.old` }, here), { message: /there is no file .*config\.json\.old/ })
  await writeFile(join(bin, 'systemctl'), '#!/bin/sh\necho no bus >&2\nexit 1\n')
  await t.rejects(install(options, here), { message: 'systemctl --user daemon-reload: no bus', code: 'PRN_ERR_SERVICE_MANAGER' })
  await writeFile(join(bin, 'systemctl'), SYSTEMCTL)
  t.match(await printed(t, () => install(options, here)), /Running: http:\/\/127\.0\.0\.1:\d+[^]*/)
  t.match(await printed(t, () => status(options, here)), /Running: http:\/\/127\.0\.0\.1:\d+/)
  const unit = join(bin, 'prnd.service')
  await writeFile(unit, `${await readFile(unit, 'utf8')}\n# changed\n`)
  t.match(await printed(t, () => status(options, here)), /out of date/)
  t.match(await printed(t, () => remove({ ...options, dryRun: true }, here)), /disable --now[^]*would be deleted/)
  t.match(await printed(t, () => remove(options, here)), /Removed/)
  t.match(await printed(t, () => status(options, here)), /Not installed/)
  t.match(await readFile(join(folder, 'config.json'), 'utf8'), /printers/, 'the configuration stays')
  t.same((await readFile(join(bin, 'asked'), 'utf8')).split('\n').filter(line => !line.includes('is-active')), [
    'systemctl --user daemon-reload', 'systemctl --user enable prnd.service', 'systemctl --user restart prnd.service',
    'systemctl --user disable --now prnd.service', 'systemctl --user daemon-reload', ''
  ])
})
