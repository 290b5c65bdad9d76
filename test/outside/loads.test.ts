import t from 'tap'
import { build, finished, install, outside } from './installed.js'

t.before(build)

/** Tells which packages were loaded when the service was up, by either kind of import. */
const SCRIPT = `
import { appendFileSync, readFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
  import { appendFileSync } from 'node:fs'
  export async function load (url, context, next) {
    appendFileSync(\${JSON.stringify(process.cwd() + '/urls.txt')}, url + '\\\\n')
    return await next(url, context)
  }\`))
const { createKernel } = await import('prnd')
const { default: daemon } = await import('prnd/presets/daemon')
const kernel = await createKernel(daemon, { printers: [], dataDir: 'data', api: { host: '127.0.0.1' } }, { configFile: 'none.json' })
await kernel.start()
const files = [...readFileSync('urls.txt', 'utf8').split('\\n'), ...Object.keys(createRequire(import.meta.url).cache)]
const packages = files.map(file => file.split('node_modules/').at(-1).match(/^(@[^/]+\\/)?[^/:]+/)?.[0])
console.log(JSON.stringify([...new Set(packages)]))
await kernel.close()
`

t.test('what is large and not always needed is not loaded at the start', async t => {
  const folder = await outside(t, { 'package.json': { type: 'module' }, 'loads.js': SCRIPT })
  await install(folder)
  const { code, out, err } = await finished(t, ['loads.js'], { cwd: folder })
  t.equal(code, 0, err)
  const loaded = JSON.parse(out) as string[]
  for (const name of ['fastify', 'env-paths']) t.ok(loaded.includes(name), 'packages of both kinds are seen')
  const large = ['mqtt', 'aedes', 'sharp', 'yauzl', 'fast-xml-parser', 'zod', '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/node', '@modelcontextprotocol/server',
    '@fastify/swagger', '@fastify/swagger-ui', 'yaml', '@peculiar/x509', 'kysely', 'libsql', 'pg', 'pdfkit', 'fontkit',
    'qr', 'cborg']
  t.strictSame(large.filter(name => loaded.includes(name)), [])
})
