// `npm start` and `npm run app`: installs and builds if necessary, then runs the daemon, or the named application.
import { prepare } from './prepare.mjs'

await prepare()
if (!/^(daemon|app|demo)$/.test(process.argv[2] ?? '')) process.argv.splice(2, 0, 'daemon')
await import('../../dist/presets/cli/main.js')
