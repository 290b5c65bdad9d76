import type { Test } from 'tap'
import type { Fleet } from '../../contract/fleet.js'
import type { HttpRow } from '../../contract/http.data.js'
import * as routes from '../../contract/http.walk.js'
import { requestOf } from '../../contract/request.js'
import type { ToolRow } from '../../contract/tools.data.js'
import * as tools from '../../contract/tools.walk.js'

/** What is asked for both at the node and at the hub. */
export interface Both { readonly node: Fleet, readonly atHub: Fleet }

const PRINTER = 'h2d'
const SECOND = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+Z)?/g
const PICTURE = /data:image\/[^"]*|"(width|height)":\d+/g

const withoutPictures = (text: string): string => text.replaceAll(PICTURE, '').replaceAll(SECOND, '')

const AXIS = /\b(d|points|x|y|x1|x2)=\\?"[^"]*"|\d\d:\d\d/g
const withoutAxis = (text: string): string => text.replaceAll(SECOND, '').replaceAll(AXIS, '')

/** Reads that cannot be the same in every byte, why, and what of them must be. */
const DIFFERENT: Readonly<Record<string, { readonly why: string, readonly what: (text: string) => string }>> = {
  'GET /api/charts': { why: 'its axis ends at the second in which it is drawn', what: withoutAxis },
  render_charts_html: { why: 'its axis ends at the second in which it is drawn', what: withoutAxis },
  'GET /api/connections': { why: 'each service tells of its own', what: namesOfConnections },
  'GET /api/openapi.json': { why: 'a node may have more plugins', what: pathsOfTable },
  'GET /api/snapshot': { why: 'another picture', what: withoutPictures },
  'GET /api/analyze_active_job': { why: 'another picture', what: shapeOf },
  analyze_active_job: { why: 'another picture', what: shapeOf },
  get_snapshot: { why: 'another picture', what: withoutPictures },
  view_stream: { why: 'opens a port of the service that is asked', what: shapeOf },
  open_charts: { why: 'its axis ends at the second in which it is drawn', what: withoutAxis }
}

/** A hub and a node of these tests connect to the same things. */
function namesOfConnections (text: string): string {
  const { connections } = JSON.parse(text) as { connections: readonly { name: string, status: string }[] }
  return JSON.stringify(connections.map(({ name, status }) => [name, status]))
}

function pathsOfTable (text: string): string {
  const { paths } = JSON.parse(text) as { paths: Readonly<Record<string, unknown>> }
  return JSON.stringify(Object.entries(paths).filter(([path]) => routes.ROWS.some(row => row.path === path)))
}

/** Names and types of all members. */
function shapeOf (text: string): string {
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    typeof value === 'object' && value !== null ? value : typeof value)
}

const comparable = (id: string, text: string): string => DIFFERENT[id]?.what(text) ?? text

/** What routes read is the same, byte for byte. */
export async function readsAreSame (t: Test, { node, atHub }: Both, rows: readonly HttpRow[]): Promise<void> {
  for (const row of rows.filter(({ method }) => method === 'GET')) {
    const id = routes.idOf(row)
    for (const { params } of routes.casesOf(row).good) {
      const request = requestOf(row, routes.waysFor(row, { params })[0] ?? 'query', routes.named(row, params, PRINTER))
      const [before, here] = [await node.inject(request), await atHub.inject(request)]
      const isAsBefore = comparable(id, here.text) === comparable(id, before.text)
      const there = isAsBefore ? before : await node.inject(request) // a report may have come meanwhile
      t.equal(comparable(id, here.text) === comparable(id, there.text), true,
        `${id} ${JSON.stringify(params)}: ${firstDifference(comparable(id, here.text), comparable(id, there.text))}`)
      t.same([here.status, here.type], [there.status, there.type], `${id} ${JSON.stringify(params)}`)
    }
  }
}

/** What tools read is. */
export async function toolReadsAreSame (t: Test, { node, atHub }: Both, rows: readonly ToolRow[]): Promise<void> {
  for (const row of rows.filter(({ kind }) => kind === 'read')) {
    for (const { args, own } of tools.casesOf(row).good) {
      const ask = tools.complete(row, { ...args, ...own?.(node.of(PRINTER), node.folder) }, PRINTER)
      const read = async (fleet: Fleet) => {
        const { text, value, failed } = await fleet.tool(row.name, ask)
        return comparable(row.name, row.name in DIFFERENT ? text : JSON.stringify([text, value, failed]))
      }
      const [before, here] = [await read(node), await read(atHub)]
      const there = here === before ? before : await read(node)
      t.equal(here === there, true, `${row.name} ${JSON.stringify(args)}: ${firstDifference(here, there)}`)
    }
  }
}

const AROUND = 60

/** Where two texts part: whole pages would not be read. */
function firstDifference (here: string, there: string): string {
  const length = Math.max(here.length, there.length)
  for (let at = 0; at < length; at++) {
    if (here[at] === there[at]) continue
    const part = (text: string) => text.slice(Math.max(0, at - AROUND), at + AROUND)
    return `${part(here)} instead of ${part(there)}`
  }
  return 'the same'
}
