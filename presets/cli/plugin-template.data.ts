// The files of a new plugin. `{{name}}` is its short name, `{{snake}}` the same for addresses and tools, `{{package}}`
// the package, `{{version}}` the running version, `{{typebox}}` the version of typebox that it brings.

export const TEMPLATE: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "{{package}}",
  "version": "0.1.0",
  "description": "A plugin for prnd",
  "license": "MIT",
  "type": "module",
  "keywords": ["prnd-plugin"],
  "main": "./dist/index.js",
  "exports": {
    ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" }
  },
  "files": ["dist", "!dist/*.test.*"],
  "scripts": {
    "build": "tsc",
    "test": "tsc && node --test dist/index.test.js"
  },
  "peerDependencies": {
    "prnd": "^{{version}}",
    "typebox": "^{{typebox}}"
  },
  "peerDependenciesMeta": {
    "prnd": { "optional": true },
    "typebox": { "optional": true }
  },
  "devDependencies": {
    "@types/node": "^20.19.0",
    "typebox": "^{{typebox}}",
    "typescript": "~5.9.3"
  }
}
`,

  'tsconfig.json': `{
  "compilerOptions": {
    "target": "es2022",
    "module": "nodenext",
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noUncheckedIndexedAccess": true,
    "verbatimModuleSyntax": true,
    "declaration": true,
    "skipLibCheck": true,
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
`,

  '.gitignore': `node_modules/
dist/
`,

  'src/index.ts': `import { definePlugin, operation, route, tool } from 'prnd'
import { defineAlert } from 'prnd/plugins/alerts'
import { Type } from 'typebox'

const Options = Type.Object({
  warmC: Type.Number({ default: 45, minimum: 0, description: 'From this temperature on the bed counts as warm, °C' })
})

/** Something that the service can now do, over HTTP and MCP alike. */
const readWarmth = (warmC: number) => operation({
  name: '{{name}}.readWarmth',
  summary: 'Whether the bed is warm',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Object({ celsius: Type.Number(), warm: Type.Boolean() }),
  run ({ session }) {
    const celsius = session.state?.heat.bed.actual ?? 0
    return { celsius, warm: celsius >= warmC }
  }
})

/** Compares each report with the one before. */
const bedWarm = (warmC: number) => defineAlert({
  type: '{{snake}}_warm',
  severity: 'low',
  detect ({ heat: { bed } }, before) {
    return bed.actual >= warmC && before.heat.bed.actual < warmC ? { celsius: bed.actual } : undefined
  }
})

export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  kernel: '^{{version}}',
  description: 'Raises an alert when the bed is warm',
  options: Options,
  contributes ({ warmC }) {
    const warmth = readWarmth(warmC)
    return {
      routes: [route(warmth, { method: 'GET', path: '/{{snake}}' })],
      tools: [tool(warmth, { name: 'get_{{snake}}' })],
      alerts: [bedWarm(warmC)]
    }
  }
})
`,

  'src/index.test.ts': `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { boot, eventually, type Booted } from 'prnd/testing'
import plugin from './index.js'

let service: Booted

// A virtual printer, and the whole service over it with this plugin.
before(async () => {
  service = await boot({ models: ['P1S'], plugins: [[plugin, { warmC: 40 }]] })
})
after(async () => { await service?.close() })

test('the route says how warm the bed is', async () => {
  service.printer.patch({ bed_target_temper: 30, bed_temper: 30 })
  await eventually(async () => (await service.http('GET', '/api/{{snake}}')).body.celsius === 30)
  const { status, body } = await service.http('GET', '/api/{{snake}}')
  assert.equal(status, 200)
  assert.equal(body.warm, false)
})

test('a bed that becomes warm raises an alert', async () => {
  service.printer.patch({ bed_target_temper: 55, bed_temper: 55 })
  const { queue } = service.kernel.services.alerts
  await eventually(() => queue.peek(service.name).some(({ type }) => type === '{{snake}}_warm'))
})

test('agents have the tool', async () => {
  const { value } = await service.tool('get_{{snake}}', { name: service.name })
  assert.deepEqual(value, { celsius: 55, warm: true })
})
`,

  'README.md': `# {{package}}

A plugin for prnd. It adds the route \`GET /api/{{snake}}\`, the tool \`get_{{snake}}\` for agents, and an alert.

## Work on it

\`\`\`sh
npm install
npm test
\`\`\`

\`npm test\` compiles, starts a virtual printer and the service with this plugin, and asks it. No printer is needed.

## Use it

Compile it (\`npm run build\`) and name it in the configuration file of the service. A path starts at the folder of that
file:

\`\`\`json
{ "plugins": { "./{{folder}}": { "warmC": 45 } } }
\`\`\`

Published and installed beside that file, its name does instead: \`"{{package}}": {}\`. \`prnd plugins check\` says
whether it can be loaded.

| Option | Meaning | Default |
|---|---|---|
| \`warmC\` | From this temperature on the bed counts as warm, °C | 45 |
`
}
