// Loaded before files of tests: tells the runner which of them starts a process or looks at the PATH, as what it does
// may then depend on the programs of the machine.
const childProcess = require('node:child_process')
const { writeSync } = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

/** The number of the pipe on which the runner listens. Processes that are started from here have no such pipe. */
const { PRN_TEST_PIPE: pipe } = process.env
delete process.env.PRN_TEST_PIPE
if (pipe !== undefined) watch(file => writeSync(Number(pipe), `${file}\n`))

function watch (say) {
  const { env } = process
  const said = new Set()
  const tell = () => {
    const file = env.PRN_TEST_FILE
    if (said.has(file)) return
    said.add(file)
    say(file)
  }
  const telling = run => function (...args) {
    tell()
    return Reflect.apply(run, this, args)
  }
  childProcess.ChildProcess.prototype.spawn = telling(childProcess.ChildProcess.prototype.spawn)
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) childProcess[name] = telling(childProcess[name])
  syncBuiltinESMExports()
  process.env = new Proxy(env, {
    get (env, name) {
      if (name === 'PATH') tell()
      return env[name]
    },
    set: (env, name, value) => Reflect.set(env, name, value) // on the environment itself, which takes no descriptors
  })
}
