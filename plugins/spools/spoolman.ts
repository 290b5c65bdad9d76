import { Type, type Static } from 'typebox'
import { timeoutSignal, validationError, wordsOfFailure, type ConnectionReport } from '../../core/index.js'
import { SpoolmanFailed } from './errors.js'
import type { Spool, SpoolKeeper } from './types.js'

// Source: the OpenAPI document of Spoolman's REST API, version 1.

/** The members that are read of a spool; further ones are ignored. */
const Reply = Type.Object({
  id: Type.Integer({ minimum: 0 }),
  used_weight: Type.Number(),
  initial_weight: Type.Optional(Type.Number()),
  remaining_weight: Type.Optional(Type.Number()),
  extra: Type.Optional(Type.Record(Type.String(), Type.String())),
  filament: Type.Object({
    name: Type.Optional(Type.String()),
    material: Type.Optional(Type.String()),
    color_hex: Type.Optional(Type.String()),
    weight: Type.Optional(Type.Number()),
    vendor: Type.Optional(Type.Object({ name: Type.String() }))
  })
})
type Reply = Static<typeof Reply>
const Replies = Type.Array(Reply)

const ASK_MS = 10_000
/** Enough for several thousand spools. */
const MOST_BYTES = 16 * 1024 * 1024
const LONGEST_REASON = 200
const COLOR = /^#?([0-9a-f]{6})/i

export interface SpoolmanOptions {
  /** As configured: `http://host:7912`. */
  readonly url: string
  /** Sent as a bearer token; undefined without. */
  readonly token?: string | undefined
  /** Name of the extra field that holds the number of a spool's tag. */
  readonly tagField: string
  /** Aborted at shutdown. */
  readonly signal: AbortSignal
}

/** Spoolman refused the request; repeating it would not help. */
export class SpoolmanRefused extends Error {}

/** Extra fields contain JSON strings. */
function textOf (field: string | undefined): string {
  try {
    const value: unknown = JSON.parse(field ?? '""')
    return typeof value === 'string' ? value.replaceAll(/\s/g, '').toUpperCase() : ''
  } catch {
    return ''
  }
}

const colorOf = (hex = ''): string => {
  const digits = COLOR.exec(hex)?.[1]
  return digits === undefined ? '' : `#${digits.toUpperCase()}`
}

export function spoolOf (reply: Reply, tagField: string): Spool {
  const { id, used_weight: used, initial_weight: initial, remaining_weight: remaining, extra, filament } = reply
  const { name, material = '', color_hex: color, weight, vendor } = filament
  const net = initial ?? weight ?? (remaining === undefined ? undefined : remaining + used)
  return {
    id: String(id),
    name: [vendor?.name, name].filter(Boolean).join(' ') || material || `spool ${id}`,
    material,
    color: colorOf(color),
    tag: textOf(extra?.[tagField]),
    netGrams: net,
    usedGrams: used
  }
}

async function bodyOf (response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) throw new Error('its answer is larger than 16 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function reasonOf (status: number, body: string): string {
  try {
    const { message, detail } = JSON.parse(body) as { message?: unknown, detail?: unknown }
    const said = message ?? detail
    return `it answered ${status}: ${(typeof said === 'string' ? said : JSON.stringify(said)).slice(0, LONGEST_REASON)}`
  } catch {
    return `it answered ${status}`
  }
}

export function createSpoolman ({ url, token, tagField, signal: closing }: SpoolmanOptions) {
  const base = new URL('api/v1/', url.endsWith('/') ? url : `${url}/`)

  /** @throws Error with a readable message; SpoolmanRefused when repeating would not help */
  async function ask (path: string, { method = 'GET', body, signal = closing }:
  { method?: string, body?: object, signal?: AbortSignal | undefined } = {}): Promise<unknown> {
    const response = await fetch(new URL(path, base), {
      method,
      redirect: 'error',
      signal: AbortSignal.any([closing, signal, timeoutSignal(ASK_MS)]),
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` })
      },
      ...(body && { body: JSON.stringify(body) })
    }).catch((error: Error) => { throw new Error(wordsOfFailure(error)) })
    const text = await bodyOf(response)
    if (!response.ok) {
      const reason = reasonOf(response.status, text)
      throw [400, 404, 422].includes(response.status) ? new SpoolmanRefused(reason) : new Error(reason)
    }
    try {
      return JSON.parse(text)
    } catch {
      throw new Error('it does not answer with JSON: is this the address of Spoolman?')
    }
  }

  function checked (schema: typeof Reply, value: unknown): Reply
  function checked (schema: typeof Replies, value: unknown): Reply[]
  function checked (schema: typeof Reply | typeof Replies, value: unknown): Reply | Reply[] {
    const problem = validationError(schema, value)
    if (problem !== undefined) throw new Error(`its answer is not as expected: ${problem}`)
    return value as Reply
  }

  return {
    async list (signal?: AbortSignal): Promise<Spool[]> {
      const replies = checked(Replies, await ask('spool?allow_archived=false', { signal }))
      return replies.map(reply => spoolOf(reply, tagField))
    },
    /** Spoolman's count of used filament of a spool, g. */
    async usedGrams (id: string): Promise<number> {
      return checked(Reply, await ask(`spool/${encodeURIComponent(id)}`)).used_weight
    },
    async use (id: string, grams: number): Promise<void> {
      await ask(`spool/${encodeURIComponent(id)}/use`, { method: 'PUT', body: { use_weight: grams } })
    }
  }
}

export type Spoolman = ReturnType<typeof createSpoolman>

/** Spools managed in Spoolman. */
export function createSpoolmanKeeper (spoolman: Spoolman, redact: (text: string) => string, report: ConnectionReport):
SpoolKeeper {
  let spools: ReadonlyMap<string, Spool> = new Map()
  let problem: string | undefined = 'Spoolman has not answered yet'
  return {
    kind: 'spoolman',
    get problem () { return problem },
    get spools () { return spools },
    async refresh (signal) {
      try {
        spools = new Map((await spoolman.list(signal)).map(spool => [spool.id, spool]))
        problem = undefined
        report.connected()
      } catch (error) {
        problem = redact((error as Error).message)
        report.failed(error)
        throw new SpoolmanFailed(problem)
      }
    }
  }
}
