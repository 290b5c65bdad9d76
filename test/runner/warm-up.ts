// Run once before many files of tests.
import { createRequire } from 'node:module'
import { boot } from '../../presets/testing/index.js'

const { keepCompiled } = createRequire(import.meta.url)('../../load.cjs') as { keepCompiled: () => void }
const booted = await boot()
await booted.http('GET', '/api/printers')
await booted.client.listTools()
await booted.close()
keepCompiled()
