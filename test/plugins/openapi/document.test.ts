import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { boot } from '../../helpers/boot.js'

const RULES = join(import.meta.dirname, '..', '..', 'contract', 'redocly.yaml')
const LINTER = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js')
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

interface Found { readonly problems: readonly { readonly severity: string, readonly message: string }[] }

/** Checks a document with the linter that other people's tools go by. */
async function lint (file: string): Promise<Found> {
  const run = promisify(execFile)(process.execPath, [LINTER, 'lint', file, '--config', RULES, '--format', 'json'],
    { env: { ...process.env, ...QUIET } })
  const { stdout } = await run.catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error
    return { stdout: error.stdout }
  })
  return JSON.parse(stdout) as Found
}

type Fields = Record<string, any>

/** Every value of an object and of what is in it. */
const walk = (value: unknown, visit: (fields: Fields, path: string) => void, path = '#'): void => {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Fields, path)
  for (const [key, inner] of Object.entries(value)) walk(inner, visit, `${path}/${key}`)
}

t.test('the live document has no errors and no warnings', async t => {
  for (const [name, api] of [['open', {}], ['token', { token: 'a-long-token' }]] as const) {
    const { kernel } = await boot(t, { models: [], config: { api } })
    const headers = { authorization: 'Bearer a-long-token' }
    const { body } = await kernel.app.inject({ url: '/api/openapi.json', headers })
    const folder = t.testdir({ [`${name}.json`]: body })
    t.same((await lint(join(folder, `${name}.json`))).problems, [], name)
    const { security, components } = JSON.parse(body) as Fields
    t.same(security, name === 'open' ? [] : [{ token: [] }])
    t.same(components?.securitySchemes?.token, name === 'open' ? undefined : { type: 'http', scheme: 'bearer' })
  }
})

t.test('the linter does find what is wrong', async t => {
  const bad = { openapi: '3.0.3', info: { title: 'x', version: '1' }, paths: { '/a': { get: {} } } }
  const folder = t.testdir({ 'bad.json': JSON.stringify(bad) })
  t.ok((await lint(join(folder, 'bad.json'))).problems.some(({ severity }) => severity === 'error'))
})

t.test('what it holds', async t => {
  const { http } = await boot(t, { models: [] })
  const { body } = await http('GET', '/api/openapi.json')
  t.equal(body.openapi, '3.0.3')
  t.match(body.info, { title: 'prn API', version: /^\d+\.\d+\.\d+$/ })
  t.same(body.tags.map(({ name }: Fields) => name),
    ['System', 'Climate', 'Print Control', 'AMS & Filament', 'Hardware', 'Files', 'Camera'])
  const operations = Object.values(body.paths as Fields).flatMap(path => Object.values(path as Fields)) as Fields[]
  const ids = operations.map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, ids.length, 'ids are unique')
  const tags = new Set(body.tags.map(({ name }: Fields) => name))
  for (const { tags: own, operationId } of operations) t.ok(own.every((tag: string) => tags.has(tag)), operationId)
  for (const path of ['/api/openapi.json', '/api/docs', '/api/docs/']) t.ok(body.paths[path]?.get, path)
})

t.test('what acts on a printer is marked, with what the user must be asked', async t => {
  const { http, kernel } = await boot(t, { models: [] })
  const { paths } = (await http('GET', '/api/openapi.json')).body as Fields
  for (const { method, path, operation: { effect, consequence } } of kernel.contributed('routes')) {
    const { summary, description } = paths[`/api${path}`][method.toLowerCase()]
    const acts = effect === 'write' || effect === 'destructive'
    t.equal(summary.startsWith('⚠ '), acts, path)
    if (acts) t.ok(description.includes(consequence) && description.includes('Ask the user'), path)
  }
})

t.test('only words that OpenAPI 3.0 knows', async t => {
  const { http } = await boot(t, { models: [] })
  const { body } = await http('GET', '/api/openapi.json')
  const wrong: string[] = []
  walk(body.paths, (fields, path) => {
    if (path.endsWith('/properties')) return
    const unknown = ['const', '$id', '$defs', 'additionalItems', 'examples'].filter(word => word in fields)
    const untyped = Array.isArray(fields.enum) && typeof fields.type !== 'string'
    const nulls = 'anyOf' in fields && fields.anyOf.some(({ type }: Fields) => type === 'null')
    if (unknown.length > 0 || untyped || nulls || Array.isArray(fields.type)) wrong.push(path)
  })
  t.same(wrong, [])
})

t.test('both forms are written once', async t => {
  const { kernel } = await boot(t, { models: [] })
  const get = async (query: string) => (await kernel.app.inject(`/api/openapi.json${query}`))
  const plain = await get('')
  t.notOk(plain.body.includes('\n'))
  t.equal(plain.headers['cache-control'], 'no-store')
  for (const query of ['?pretty=true', '?pretty=1', '?pretty=YES', '?pretty=no&pretty=true']) {
    const { body } = await get(query)
    t.match(body, /^\{\n {2}"openapi": "3\.0\.3",\n/, query)
    t.same(JSON.parse(body), plain.json())
  }
  for (const query of ['?pretty=', '?pretty=false', '?pretty=0', '?pretty=on']) {
    t.equal((await get(query)).body, plain.body, query)
  }
  const { bytes } = kernel.services.openapi
  t.equal(await bytes(false), await bytes(false), 'the same bytes every time')
  t.equal(await bytes(true), await bytes(true))
})

t.test('the explorer', async t => {
  const { kernel } = await boot(t, { models: [] })
  const pages = await Promise.all(['/api/docs', '/api/docs/'].map(url => kernel.app.inject(url)))
  for (const { statusCode, headers, body } of pages) {
    t.equal(statusCode, 200, 'no redirect')
    t.equal(headers['content-type'], 'text/html; charset=utf-8')
    t.notMatch(headers['content-security-policy'], /upgrade-insecure-requests/, 'it works without TLS')
    t.match(headers['content-security-policy'], /default-src 'self'/)
    for (const [, address = ''] of body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const base = `http://localhost/api/docs${body === pages[0]?.body ? '' : '/'}`
      const { statusCode } = await kernel.app.inject(new URL(address, base).pathname)
      t.equal(statusCode, 200, address)
    }
  }
  const { body } = await kernel.app.inject('/api/docs/static/swagger-initializer.js')
  t.match(body, /"url":\s*"\/api\/openapi\.json"/)
  t.match(body, /"validatorUrl":\s*null/, 'nothing is sent elsewhere')
  t.same((await kernel.app.inject('/api/docs/json')).json().openapi, '3.0.3')
  const { statusCode, body: none } = await kernel.app.inject('/api/docs/static/none.js')
  t.equal(statusCode, 404)
  t.match(JSON.parse(none), { status: 'error', error: 'no_route' }, 'as for every other path')
})
