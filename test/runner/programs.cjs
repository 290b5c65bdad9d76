// Loaded before a file of tests: tells the runner when it starts a process or looks at the PATH, as what it does may
// then depend on the programs of the machine.
const childProcess = require('node:child_process')
const { writeSync } = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

/** The pipe on which the runner listens; processes that the file starts are not given it. */
const PIPE = 3

let told = false
function tell () {
  if (told) return
  told = true
  writeSync(PIPE, 'program')
}

const telling = run => function (...args) {
  tell()
  return Reflect.apply(run, this, args)
}

childProcess.ChildProcess.prototype.spawn = telling(childProcess.ChildProcess.prototype.spawn)
for (const name of ['spawnSync', 'execSync', 'execFileSync']) childProcess[name] = telling(childProcess[name])
syncBuiltinESMExports()

process.env = new Proxy(process.env, {
  get (env, name) {
    if (name === 'PATH') tell()
    return env[name]
  },
  set: (env, name, value) => Reflect.set(env, name, value) // on the environment itself, which takes no descriptors
})
