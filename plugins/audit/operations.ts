import { Type } from 'typebox'
import { BadInput, LANGUAGES, operation } from '../../core/index.js'
import type { Kysely } from '../database/index.js'
import { firstIdAt, isId } from './entry.js'
import type { AuditRow, Tables } from './tables.js'
import { entryWording } from './words.js'

const MOST_ROWS = 500
const USUAL_ROWS = 100
/** Names of grants contain those of a user and a program. */
const Name = Type.String({ minLength: 1, maxLength: 160 })

const Entry = Type.Object({
  id: Type.String(),
  at: Type.String({ description: 'ISO 8601, UTC' }),
  who: Type.String({ description: 'A user, a key, a grant of a user to a program, `token`, `local` or `network` without a name, or `service`' }),
  face: Type.String({ description: 'Surface: `http`, `mcp`, `page`, or the name of a plugin' }),
  act: Type.String({ description: 'The operation, or `login`' }),
  words: Type.String({ description: 'What it does, in words' }),
  printer: Type.Union([Type.String(), Type.Null()]),
  outcome: Type.String({ description: '`done`, or why not; `begun`: the service ended before it was known' }),
  outcome_words: Type.String({ description: 'The outcome, in words' }),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'Why not; at a node of a fleet also the key of the hub that asked' })
})

const viewOf = ({ at, ...row }: AuditRow) => ({ ...row, at: new Date(at).toISOString() })

export const listEntries = operation({
  name: 'audit.list',
  summary: 'Who did what, newest first',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({
    who: Type.Optional(Name),
    act: Type.Optional(Name),
    printer_name: Type.Optional(Name),
    since: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601' })),
    lang: Type.Optional(Type.Enum(LANGUAGES, { description: 'Language of the words; left out: en' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: USUAL_ROWS })),
    cursor: Type.Optional(Type.String({ maxLength: 40, description: '`cursor` of an earlier answer' }))
  }),
  output: Type.Object({ entries: Type.Array(Entry), cursor: Type.Union([Type.String(), Type.Null()]) }),
  async run ({ kernel, services: { database } }, input) {
    const { who, act, printer_name: printer, since, lang = 'en', limit = USUAL_ROWS, cursor } = input
    if (cursor !== undefined && !isId(cursor)) throw new BadInput('cursor is not one of this list')
    if (since !== undefined && Number.isNaN(Date.parse(since))) throw new BadInput('since must be a time such as 2026-03-14T08:00:00Z')
    const rows = await database.query(async (db: Kysely<Tables>) => {
      let query = db.selectFrom('audit_entries').selectAll().orderBy('id', 'desc').limit(limit + 1)
      if (who !== undefined) query = query.where('who', '=', who)
      if (act !== undefined) query = query.where('act', '=', act)
      if (printer !== undefined) query = query.where('printer', '=', printer)
      if (since !== undefined) query = query.where('id', '>=', firstIdAt(Date.parse(since)))
      if (cursor !== undefined) query = query.where('id', '<', cursor)
      return await query.execute()
    })
    const page = rows.slice(0, limit)
    const inWords = entryWording(kernel, lang)
    const entries = page.map(row => ({ ...viewOf(row), ...inWords(row) }))
    return { entries, cursor: rows.length > limit ? page.at(-1)?.id ?? null : null }
  }
})
