import type { Tool } from '../../core/index.js'
import { markerOf } from '../../plugins/http/index.js'
import { facesOf, parametersOf, type Application, type Mounted } from './application.js'
import { block, byText, code, grouped, link, page, sentence, table } from './markdown.js'
import { NOTES } from './notes.data.js'
import { defaultOf, meaningOf, membersOf, typeOf, type Schema } from './schema.js'

type Faced = ReturnType<typeof facesOf>[number]

const headingOf = ({ method, url }: Mounted) => `${method} ${url}`

/** What a route's description of itself says twice is left out. */
const plainText = (text = '') => text.replace(/^Required, here or in the body\.\s*/, '').replace(/^Required\.\s*/, '')

/** @param said names of parameters that are spoken of elsewhere */
export function parameterTable ({ properties = {}, required = [] }: Schema, said: readonly string[]): string {
  const rows = Object.entries(properties).filter(([name]) => !said.includes(name)).map(([name, part]) => {
    const must = required.includes(name) || part.description?.startsWith('Required') === true
    return [code(name), typeOf(part).replace(/^unknown$/, 'any'), must ? 'yes' : '', defaultOf(part),
      sentence(meaningOf(part, plainText(part.description)))]
  })
  return table(['Parameter', 'Type', 'Required', 'Default', 'Meaning'], rows)
}

/** Short shapes on the line, long ones in a block. */
export function answerOf (schema: Schema | undefined): string {
  if (schema === undefined) return ''
  const shape = typeOf(schema)
  if (shape === 'unknown' || shape === 'object') return ''
  return shape.length <= 90 ? `Answer: ${code(shape)}` : `Answer:\n\n${block(linesOf(schema), 'ts')}`
}

/** Long objects with a line for each member. */
function linesOf (schema: Schema): string {
  const [rows] = schema.type === 'array' && schema.items ? [membersOf(schema.items)] : [membersOf(schema)]
  const end = schema.type === 'array' ? '}[]' : '}'
  return schema.anyOf || rows.length === 0 ? typeOf(schema) : `{\n${rows.map(row => `  ${row}`).join('\n')}\n${end}`
}

/** Where a reply is changed on its way out, only the face knows its shape. */
const bodyOf = ({ face: { body, reply, operation } }: Faced): Schema | undefined =>
  (body ?? (reply ? undefined : operation.output)) as Schema | undefined

function routeSection (route: Faced, tools: readonly Tool[], onePrinter: boolean): string[] {
  const { face, face: { operation } } = route
  const same = tools.filter(tool => tool.operation === operation).map(({ name }) => link(code(name), 'tools.md', name))
  const errors = (operation.errors ?? []).map(({ code: name }) => link(code(name), 'errors.md', name)).sort()
  const { properties = {} } = parametersOf(route)
  const printer = !onePrinter && operation.scope === 'printer' && 'printer' in properties ? ['printer'] : []
  return [
    `### ${headingOf(route)}`,
    [
      `${markerOf(face)}${sentence(face.summary ?? operation.summary)}`,
      operation.consequence ?? ''
    ].filter(Boolean).join(' '),
    parameterTable(parametersOf(route), printer),
    answerOf(bodyOf(route)),
    [
      `${printer.length > 0 ? 'Takes `printer`. ' : ''}Operation ${code(operation.name)}, ${operation.effect}.`,
      onePrinter || same.length === 0 ? '' : `Tools: ${same.join(', ')}.`,
      errors.length === 0 ? '' : `Errors of its own: ${errors.join(', ')}.`
    ].filter(Boolean).join(' ')
  ]
}

const tagOf = ({ face, schema }: Faced) => (schema.tags as string[] | undefined)?.[0] ?? face.tag ?? 'Other'

/** The contributed routes, by group. */
export function routeSections (application: Application, onePrinter: boolean): string[] {
  const tools = application.kernel.contributed('tools')
  return grouped(facesOf(application), tagOf).flatMap(([tag, routes]) => {
    const sorted = [...routes].sort(byText(({ url, method }) => `${url} ${method}`))
    return [
      `## ${tag}`,
      table(['Route', ''], sorted.map(route =>
        [link(headingOf(route), '', headingOf(route)), String(route.schema.summary ?? '')])),
      ...sorted.flatMap(route => routeSection(route, tools, onePrinter))
    ]
  })
}

const noteOf = (url: string) => NOTES[url] ??
  Object.entries(NOTES).find(([known]) => known.endsWith('/*') && url.startsWith(known.slice(0, -1)))?.[1]

/** Routes that plugins serve by themselves. @throws when one of them is described nowhere */
export function otherAddresses ({ routes }: Application): string[] {
  const rows = routes.filter(({ face }) => face === undefined)
    .map(({ method, url, schema }) => [code(`${method} ${url}`), noteOf(url) ?? String(schema.summary ?? '')] as const)
    .filter(([, text]) => text !== '-')
  const mute = rows.filter(([, text]) => text === '').map(([address]) => address)
  if (mute.length > 0) throw new Error(`docs/generator/notes.data.ts must say what these are: ${mute.join(', ')}`)
  const unique = [...new Map(rows).entries()].sort(byText(([address]) => address))
  return ['## Other addresses', table(['Address', ''], unique)]
}

export const httpPage = (application: Application): string => page(
  '# HTTP API',
  'The routes of the service (`prnd daemon`, `npm start`). As an OpenAPI document: `GET /api/openapi.json`; try ' +
  'it out at `/api/docs`.',
  'Parameters of a write may stand in the query, in a form or in a JSON object. `printer` is the ' +
  'name of a configured printer; without it the default printer is used. ⚠ marks routes that change something: ask the ' +
  'person responsible first. A failure is ' +
  '`{ "status": "error", "error", "reason" }`, where `error` is the code of the [error](errors.md) without its prefix, in ' +
  'lower case; some older routes have the sentence there. A write that the printer did not confirm carries the header ' +
  '`prnd-command: unconfirmed`.',
  routeSections(application, false),
  otherAddresses(application)
)

export const standalonePage = (application: Application): string => page(
  '# HTTP API of the application for one printer',
  'The routes of `prnd app`. Nearly all are GET, including those that change something, and none has a printer parameter. A ' +
  'failure is `{ "status": "error", "message", "reason", "stacktrace" }`, with status 500 unless the request was rejected ' +
  'before it was handled. Events are sent over Socket.IO; see [events](events.md).',
  routeSections(application, true),
  otherAddresses(application)
)
