// The files of a new plugin. `{{name}}` is its short name, `{{snake}}` the same for routes and tools, `{{title}}` for
// display, `{{package}}` the package, `{{version}}` the running version, `{{typebox}}` the version of typebox that it
// includes.

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
  "files": ["dist", "page", "!dist/*.test.*"],
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

  'page/index.html': `<main class="page">
<h1>{{{{name}}.title}}</h1>
<p class="card" id="warmth" role="status"></p>
</main>
`,

  'page/main.js': `import { call, currentPrinter, number, t } from 'shell'

const EVERY_MS = 5_000

/** Of the printer in the address; without one, of the service's default printer. */
const printer = currentPrinter()

async function show () {
  const warmth = document.getElementById('warmth')
  try {
    const { celsius, warm } = await call('GET', '{{snake}}', printer === '' ? {} : { printer })
    warmth.textContent = t(warm ? '{{name}}.warm' : '{{name}}.cold', { celsius: number(celsius) })
  } catch (error) {
    warmth.textContent = error.message
  }
}

void show()
setInterval(show, EVERY_MS)
`,

  'src/index.ts': `import { fileURLToPath } from 'node:url'
import { definePage, definePlugin, operation, route, tool, type StoredSettings } from 'prnd'
import { defineAlert } from 'prnd/plugins/alerts'
import { Type, type Static } from 'typebox'

/** What users change on the settings page, while the service runs. */
const Settings = Type.Object({
  warmC: Type.Number({ default: 45, minimum: 0, maximum: 120, title: 'The bed is warm from (°C)' })
})
type Stored = StoredSettings<Static<typeof Settings>>

/** Something that the service can now do, over HTTP and MCP alike. */
const readWarmth = (settings: Stored) => operation({
  name: '{{name}}.readWarmth',
  summary: 'Whether the bed is warm',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Object({ celsius: Type.Number(), warm: Type.Boolean() }),
  run ({ session }) {
    const celsius = session.state?.heat.bed.actual ?? 0
    return { celsius, warm: celsius >= settings.get().warmC }
  }
})

/** Compares each report with the one before. */
const bedWarm = (settings: Stored) => defineAlert({
  type: '{{snake}}_warm',
  severity: 'low',
  detect ({ heat: { bed } }, before) {
    const { warmC } = settings.get()
    return bed.actual >= warmC && before.heat.bed.actual < warmC ? { celsius: bed.actual } : undefined
  }
})

/** A page with an entry in the navigation; what a language lacks is shown in English. */
const page = definePage({
  id: '{{name}}',
  path: '/{{name}}',
  icon: 'heat',
  order: 84,
  texts: {
    en: { '{{name}}.title': '{{title}}', '{{name}}.warm': 'The bed is warm: {celsius} °C', '{{name}}.cold': 'The bed is cold: {celsius} °C' },
    de: { '{{name}}.title': '{{title}}', '{{name}}.warm': 'Das Bett ist warm: {celsius} °C', '{{name}}.cold': 'Das Bett ist kalt: {celsius} °C' },
    zh: { '{{name}}.title': '{{title}}', '{{name}}.warm': '热床已热：{celsius} °C', '{{name}}.cold': '热床未热：{celsius} °C' }
  },
  content: { files: fileURLToPath(new URL('../page', import.meta.url)) }
})

export default definePlugin({
  name: '{{name}}',
  version: '0.1.0',
  kernel: '^{{version}}',
  description: 'Raises an alert when the bed is warm',
  settings: {
    schema: Settings,
    labels: { de: { warmC: 'Das Bett ist warm ab (°C)' }, zh: { warmC: '热床视为已热的温度（°C）' } }
  },
  contributes (_options, _services, settings) {
    const warmth = readWarmth(settings)
    return {
      routes: [route(warmth, { method: 'GET', path: '/{{snake}}' })],
      tools: [tool(warmth, { name: 'get_{{snake}}' })],
      alerts: [bedWarm(settings)],
      pages: [page]
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
  service = await boot({ models: ['P1S'], plugins: [plugin] })
})
after(async () => { await service?.close() })

test('the route says how warm the bed is', async () => {
  service.printer.patch({ bed_target_temper: 30, bed_temper: 30 })
  await eventually(async () => (await service.http('GET', '/api/{{snake}}')).body.celsius === 30)
  const { status, body } = await service.http('GET', '/api/{{snake}}')
  assert.equal(status, 200)
  assert.equal(body.warm, false)
})

test('the setting is stored and used at once', async () => {
  const { status } = await service.http('PATCH', '/api/plugin_settings', { plugin: '{{name}}', values: { warmC: 25 } })
  assert.equal(status, 200)
  assert.equal((await service.http('GET', '/api/{{snake}}')).body.warm, true)
  const { body } = await service.http('PATCH', '/api/plugin_settings', { plugin: '{{name}}', values: { warmC: 200 } })
  assert.equal(body.reason, 'warmC must be <= 120')
  await service.http('PATCH', '/api/plugin_settings', { plugin: '{{name}}', values: { warmC: 40 } })
})

test('a bed that becomes warm raises an alert', async () => {
  service.printer.patch({ bed_target_temper: 55, bed_temper: 55 })
  const { queue } = service.kernel.services.alerts
  await eventually(() => queue.peek(service.name).some(({ type }) => type === '{{snake}}_warm'))
})

test('the page and its script are served', async () => {
  const page = await service.http('GET', '/{{name}}')
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1>{{title}}<\\/h1>/)
  const [script] = /shell\\/{{name}}-\\w+\\/main\\.js/.exec(page.text) ?? []
  assert.equal((await service.http('GET', \`/\${script}\`)).status, 200)
})

test('agents have the tool', async () => {
  const { value } = await service.tool('get_{{snake}}', { name: service.name })
  assert.equal(value.warm, true)
})
`,

  'README.md': `# {{package}}

A plugin for prnd. It adds the page \`/{{name}}\`, the route \`GET /api/{{snake}}\`, the tool \`get_{{snake}}\` for agents,
an alert, and a setting on the page \`/settings\`.

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
{ "plugins": { "./{{folder}}": {} } }
\`\`\`

Published and installed beside that file, its name does instead: \`"{{package}}": {}\`. \`prnd plugins check\` says
whether it can be loaded.

| Setting | Meaning | Default |
|---|---|---|
| \`warmC\` | The bed is warm from this temperature, °C | 45 |
`
}
