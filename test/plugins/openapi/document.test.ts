import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { lint } from '../../helpers/redocly.js'
import { testFolder } from '../../helpers/folder.js'

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
    const folder = testFolder(t, { [`${name}.json`]: body })
    const { problems, allowed } = await lint(join(folder, `${name}.json`))
    t.same(problems, [], name)
    t.equal(allowed.length, 1, 'the second address of the page')
    const { security, components } = JSON.parse(body) as Fields
    t.same(security, name === 'open' ? [] : [{ token: [] }])
    t.same(components?.securitySchemes?.token, name === 'open' ? undefined : { type: 'http', scheme: 'bearer' })
  }
})

t.test('the linter does find what is wrong', async t => {
  const bad = { openapi: '3.0.3', info: { title: 'x', version: '1' }, paths: { '/a': { get: {} } } }
  const folder = testFolder(t, { 'bad.json': JSON.stringify(bad) })
  t.ok((await lint(join(folder, 'bad.json'))).problems.some(({ severity }) => severity === 'error'))
})

t.test('what it holds', async t => {
  const { http } = await boot(t, { models: [] })
  const { body } = await http('GET', '/api/openapi.json')
  t.equal(body.openapi, '3.0.3')
  t.match(body.info, { title: 'prnd API', version: /^\d+\.\d+\.\d+$/ })
  t.same(body.tags.map(({ name }: Fields) => name),
    ['System', 'Climate', 'Motion', 'Print Control', 'AMS & Filament', 'Hardware', 'Files', 'Camera', 'History',
      'Queue', 'Energy', 'Slicing', 'Plate change', 'Spools', 'Drying', 'Rules', 'Maintenance', 'Night', 'Messages', 'People',
      'Setup', 'Home Assistant', 'Backup', 'Relay'])
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
    const { summary, description } = paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`][method.toLowerCase()]
    const acts = effect === 'write' || effect === 'destructive'
    if (acts || effect === 'local') t.equal(summary.startsWith('⚠ '), acts || method !== 'GET', path)
    if (acts) t.ok(description.includes(consequence) && description.includes('Ask the user'), path)
  }
})

t.test('every write says how it is tried, and what that answers', async t => {
  const { http, kernel } = await boot(t, { models: [] })
  const { paths, 'x-dry-run': answer } = (await http('GET', '/api/openapi.json')).body as Fields
  t.match(answer.properties, { dry_run: { enum: [true] }, sends: { nullable: true } })
  for (const { method, path, operation: { effect }, writesWith } of kernel.contributed('routes')) {
    const { parameters = [] } = paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`][method.toLowerCase()]
    const writes = effect !== 'read' || writesWith !== undefined
    t.equal(parameters.some(({ name, in: where }: Fields) => name === 'dry_run' && where === 'query'), writes, path)
  }
})

/** Asked by GET for the sake of old clients, they are what their POST is. */
const MARKED_GETS = ['/api/download_file_from_printer', '/api/upload_file_to_host']

t.test('every write is marked once, whatever it changes', async t => {
  const { http } = await boot(t, { models: [] })
  const { paths } = (await http('GET', '/api/openapi.json')).body as Fields
  const wrong = Object.entries(paths as Fields).flatMap(([path, methods]) => Object.entries(methods as Fields)
    .filter(([method, { summary }]) => {
      const isMarked = /^⚠ [^⚠]/.test(summary)
      return isMarked !== (method !== 'get' || MARKED_GETS.includes(path))
    })
    .map(([method]) => `${method} ${path}`))
  t.same(wrong, [])
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

/** Every schema of answers, with the place where it stands. */
function answers (document: Fields): [place: string, schema: Fields][] {
  return Object.entries(document.paths as Fields).flatMap(([path, methods]) =>
    Object.entries(methods as Fields).flatMap(([method, { responses }]) =>
      Object.entries(responses as Fields).flatMap(([status, { content = {} }]) =>
        Object.entries(content as Fields).map(([type, { schema }]) =>
          [`${method} ${path} ${status} ${type}`, schema] as [string, Fields]))))
}

t.test('every answer says what it holds', async t => {
  const { http } = await boot(t, { models: [] })
  const { body } = await http('GET', '/api/openapi.json')
  const found = answers(body)
  t.ok(found.length > 600)
  for (const [place, schema] of found) t.ok(schema && ['type', '$ref', 'anyOf'].some(word => word in schema), place)
  const open: string[] = []
  walk([found, body.components.schemas], (fields, path) => {
    const says = 'properties' in fields || 'additionalProperties' in fields || 'enum' in fields
    if (fields.type === 'object' && !says) open.push(path)
  })
  t.same(open, [], 'an object either lists its members or says that it has others')
})

t.test('failures are listed where they can occur', async t => {
  const token = 'a-long-token'
  const { kernel } = await boot(t, { models: [], config: { api: { token } } })
  const { paths } = (await kernel.app.inject({ url: '/api/openapi.json', headers: { authorization: `Bearer ${token}` } })).json()
  const statusesOf = (method: string, path: string) => Object.keys(paths[`/api/${path}`][method].responses).map(Number)
  const cases: [method: string, path: string, listed: number[], not: number[]][] = [
    ['get', 'printer', [200, 304, 400, 401, 403, 429, 500, 503], [404, 409, 415, 502]],
    ['get', 'printers', [200, 401, 403, 500], [304, 409, 415]],
    ['get', 'get_file_info', [404, 502], [409, 415]],
    ['get', 'monitoring_data', [304], [409]],
    ['post', 'print_3mf', [400, 409, 413, 415, 502, 504], [304]],
    ['patch', 'set_bed_target_temp', [400, 409, 415, 504], [404, 502]],
    ['post', 'upload_file_to_host', [200, 400, 413, 415, 429], [409]],
    ['delete', 'file_transfers', [404], [502]]
  ]
  for (const [method, path, listed, not] of cases) {
    const statuses = statusesOf(method, path)
    t.same(listed.filter(status => !statuses.includes(status)), [], `${method} ${path} lacks none`)
    t.same(not.filter(status => statuses.includes(status)), [], `${method} ${path} has none too many`)
  }
  const { kernel: open } = await boot(t, { models: [] })
  const { responses } = (await open.app.inject('/api/openapi.json')).json().paths['/api/printers'].get
  t.notOk(responses[401] ?? responses[429], 'no token, nothing to be refused for it')
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
