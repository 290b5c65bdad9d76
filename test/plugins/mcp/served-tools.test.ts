import t from 'tap'
import { Type } from 'typebox'
import { operation, tool } from '../../../core/index.js'
import { serveTool, titleOf } from '../../../plugins/mcp/served-tools.js'
import { boot } from '../../helpers/boot.js'

/** Of what agents read: hosts show titles to people. */
const MOST_CHARS = 42_500
const MOST_CHARS_OF_TITLES = 4_000
const MOST_CHARS_OF_ONE = 1_400

/** Changes nothing on a printer, though something in this service. */
const WITHOUT_PERMISSION = ['slice_model', 'stop_recording', 'set_user_pref', 'start_stream', 'stop_stream']

t.test('titles are spelled as people write them', async t => {
  t.equal(titleOf('get_hms_errors'), 'Get HMS Errors')
  t.equal(titleOf('get_3mf_entry_by_id'), 'Get 3MF Entry By ID')
  t.equal(titleOf('get_wifi_signal'), 'Get Wi-Fi Signal')
  t.equal(titleOf('refresh_sdcard'), 'Refresh SD Card')
  t.equal(titleOf('send_gcode'), 'Send G-code')
})

t.test('an operation becomes a tool: name, permission and annotations are added', async t => {
  const heat = operation({
    name: 'x.heat',
    summary: 'Heats',
    effect: 'destructive',
    consequence: 'It melts.',
    input: Type.Object({ celsius: Type.Number(), soft: Type.Optional(Type.Boolean()) }),
    output: Type.Object({}),
    run: () => ({})
  })
  t.same(serveTool(tool(heat, { name: 'heat_it', idempotent: false })).definition, {
    name: 'heat_it',
    title: 'Heat It',
    description: 'Heats',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Printer' },
        celsius: { type: 'number' },
        soft: { type: 'boolean' },
        user_permission: { type: 'boolean', description: 'Consent' }
      },
      required: ['name', 'celsius']
    },
    annotations: { destructiveHint: true }
  })
  const soft = serveTool(tool(heat, { name: 'heat_it', effect: 'read', permission: false }))
  t.notOk('user_permission' in soft.schema.properties)
  t.same(soft.definition.annotations, { readOnlyHint: true, openWorldHint: false })
  t.equal(serveTool(tool(heat, { name: 'heat_it', title: 'Melt' })).definition.title, 'Melt', 'a title of its own is listed')
})

interface Described { readonly description?: string }

interface Part { type?: string, anyOf?: Part[], items?: Part, properties?: Record<string, Part> }

/** Where a schema leaves open what it takes. Vendors' models refuse the whole list for one such place. */
function untyped ({ type, anyOf, items, properties = {} }: Part, path: string): string[] {
  const inside = Object.entries(properties).flatMap(([name, part]) => untyped(part, `${path}.${name}`))
  if (items) inside.push(...untyped(items, `${path}[]`))
  if (anyOf) return [...inside, ...anyOf.flatMap((part, at) => untyped(part, `${path}|${at}`))]
  return type === undefined || (type === 'array' && !items) ? [...inside, path] : inside
}

t.test('every tool is one that every client takes', async t => {
  const { client } = await boot(t, { models: [] })
  const { tools } = await client.listTools()
  t.equal(new Set(tools.map(({ name }) => name)).size, tools.length)
  for (const { name, description, inputSchema, annotations = {} } of tools) {
    t.match(name, /^[a-z0-9_]{1,40}$/, name)
    t.ok(description && /^[A-Z0-9]/.test(description), `${name} says what it does`)
    t.equal(inputSchema.type, 'object')
    t.ok(inputSchema.properties, `${name} has properties, if none`)
    t.notOk('anyOf' in inputSchema || 'oneOf' in inputSchema || 'allOf' in inputSchema)
    t.notMatch(JSON.stringify(inputSchema), /"type":\[/, `${name} has no lists of types`)
    t.same(untyped(inputSchema as Part, name), [], `${name} says of everything what it is`)
    t.not('readOnlyHint' in annotations, 'destructiveHint' in annotations, `${name} reads, or says whether it destroys`)
    const asks = annotations.readOnlyHint !== true && !WITHOUT_PERMISSION.includes(name)
    for (const [key, part] of Object.entries(inputSchema.properties ?? {})) {
      t.match((part as Described).description, /\S{2}/, `${name} says what ${key} is`)
    }
    t.equal('user_permission' in (inputSchema.properties ?? {}), asks, `${name} asks for permission if it must`)
  }
})

t.test('the list costs an agent little', async t => {
  const { client } = await boot(t, { models: [] })
  const { tools } = await client.listTools()
  const lengthOf = (list: readonly object[]) => JSON.stringify(list).length
  const length = lengthOf(tools.map(({ title: _, ...rest }) => rest))
  t.ok(length <= MOST_CHARS, `${tools.length} tools, ${length} characters`)
  t.ok(lengthOf(tools) - length <= MOST_CHARS_OF_TITLES, `${lengthOf(tools) - length} characters of titles`)
  t.same(tools.filter(({ title }) => !/^[A-Z0-9].{2,39}$/.test(title ?? '')), [], 'each has a short one')
  t.same(tools.filter(({ outputSchema }) => outputSchema), [], 'schemas of answers are for who asks for them')
  const chars = tools.map(definition => ({ name: definition.name, count: JSON.stringify(definition).length }))
  t.same(chars.filter(({ count }) => count > MOST_CHARS_OF_ONE), [], 'and none is long')
  const again = await client.listTools()
  t.same(again.tools.map(({ name }) => name), tools.map(({ name }) => name), 'in a stable order')
})

/** Names of tools in a text; every tool has a verb in front. */
const namedIn = (text: string) => text.match(/\b(?:get|set|list|dump|analyze)_[a-z_]+/g) ?? []

t.test('the instructions are short, and name only what there is', async t => {
  for (const mcp of [{}, { readOnly: true }, { toolsets: ['climate'] }, { envelope: false }]) {
    const { client, kernel } = await boot(t, { models: [], config: { plugins: { mcp } } })
    const text = client.getInstructions() ?? ''
    const bytes = Buffer.byteLength(text)
    t.ok(bytes > 800 && bytes < 2_000, `${bytes} bytes with ${JSON.stringify(mcp)}`)
    for (const name of namedIn(text)) t.ok(kernel.services.mcp.serverContext.tools.has(name), name)
    t.equal(text.includes('user_permission'), !('readOnly' in mcp), 'permission where it is needed')
    t.equal(text.includes('gzip'), !('envelope' in mcp), 'packing where it happens')
    const analyses = kernel.services.mcp.serverContext.tools.has('analyze_active_job')
    t.equal(/full: megabytes/.test(text), analyses, 'a warning of what could fill a context')
  }
})
