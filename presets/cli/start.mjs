// `npm start`: installs and builds when needed, then runs the daemon.
import { prepare } from './prepare.mjs'

await prepare()
process.argv.splice(2, 0, 'daemon')
await import('../../dist/presets/cli/main.js')
