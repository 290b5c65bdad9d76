// Loaded before tap's own hooks, which would slow down every process, thread and program of the tests.
import module, { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import spawns from 'process-on-spawn'

// Each program that a test starts would report which files it loads.
delete process.env.NODE_OPTIONS
spawns.addListener = () => spawns
process.execArgv = process.execArgv.filter(option => !option.startsWith('--import'))

if (process.env._TAPJS_PROCESSINFO_COVERAGE_ === '0') {
  // Threads would load all of tap's hooks, which takes longer than what most of them do.
  threads.Worker = class extends threads.Worker {
    constructor (file, options) { super(file, { execArgv: [], ...options }) }
  }
  syncBuiltinESMExports()
  // For `tap --changed`, a second thread would read every file that is loaded. Who asks next gets the real function.
  const { register } = module
  module.register = () => { module.register = register }
}
