import { createHash, timingSafeEqual } from 'node:crypto'
import { digestOf, newSecret } from '../people/index.js'
import { isOpenGrant } from './grant-index.js'
import type { Db, GrantRow } from './tables.js'

export interface Tokens {
  readonly access: string
  readonly refresh: string
  readonly seconds: number
  readonly scope: string
}

/** Why no tokens are given. A code or token that was used twice has ended its grant. */
export interface Refusal {
  readonly reason: string
  readonly theft?: { readonly grant: GrantRow, readonly what: string }
}

export interface CodeExchange {
  readonly code: string
  readonly client: string
  readonly redirect: string | undefined
  readonly verifier: string
}

/** Access tokens of one grant: a refresh leaves earlier ones valid for requests under way. */
const MOST_TOKENS = 4

const ACCESS_MS = 3_600_000
/** A grant that is not used for this long has ended. */
const IDLE_MS = 90 * 86_400_000

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** RFC 7636. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export async function endGrant (db: Db, id: string): Promise<void> {
  await db.deleteFrom('oauth_tokens').where('grant_id', '=', id).execute()
  await db.deleteFrom('oauth_grants').where('id', '=', id).execute()
}

export const grantBy = (db: Db, column: 'code' | 'family' | 'name', value: string) =>
  db.selectFrom('oauth_grants').selectAll().where(column, '=', value).executeTakeFirst()

/** @param what was used twice, or by another program */
async function refuse (db: Db, grant: GrantRow, reason: string, what?: string): Promise<Refusal> {
  await endGrant(db, grant.id)
  return what === undefined ? { reason } : { reason, theft: { grant, what } }
}

/** A refresh token has a part that stays, by which a used one is recognized, and a part that changes with each use. */
const partsOf = (refresh: string): [family: string, current: string] => {
  const [family = '', current = ''] = refresh.split('.')
  return [family, current]
}

async function issue (db: Db, grant: GrantRow, family: string, now: number): Promise<Tokens> {
  const [access, current] = [`prnd_at_${newSecret()}`, newSecret()]
  const until = Math.min(now + ACCESS_MS, grant.expires_at ?? Infinity)
  const old = await db.selectFrom('oauth_tokens').select('id').where('grant_id', '=', grant.id).orderBy('expires_at', 'desc').execute()
  for (const { id } of old.slice(MOST_TOKENS - 1)) await db.deleteFrom('oauth_tokens').where('id', '=', id).execute()
  await db.insertInto('oauth_tokens').values({ id: digestOf(access), grant_id: grant.id, expires_at: until }).execute()
  await db.updateTable('oauth_grants').where('id', '=', grant.id).set({
    family: digestOf(family), refresh: digestOf(current), refresh_until: now + IDLE_MS, used_at: now
  }).execute()
  await db.updateTable('oauth_clients').where('id', '=', grant.client).set({ used_at: now }).execute()
  const scope = grant.role === 'operate' ? 'view operate' : 'view'
  return { access, refresh: `${family}.${current}`, seconds: Math.max(0, Math.floor((until - now) / 1000)), scope }
}

export interface TokenDeps {
  readonly change: <R>(work: (db: Db) => Promise<R>) => Promise<R>
  readonly now: () => number
  /** Whether a person still exists. */
  readonly isPerson: (person: string) => boolean
}

/** Codes and tokens of grants. */
export const createGrantTokens = ({ change, now, isPerson }: TokenDeps) => ({
  /** Every second attempt with a code, right or wrong, ends what the first one got. */
  exchange: ({ code, client, redirect, verifier }: CodeExchange) => change<Tokens | Refusal>(async db => {
    const grant = await grantBy(db, 'code', digestOf(code))
    if (grant === undefined) return { reason: 'the code is unknown' }
    if (grant.family !== null) return await refuse(db, grant, 'the code was used before', 'code')
    const isRight = grant.client === client && grant.redirect === (redirect ?? grant.redirect) &&
      VERIFIER.test(verifier) && isSame(challengeOf(verifier), grant.challenge)
    if (!isRight) return await refuse(db, grant, 'the code was given to another program')
    if (grant.code_until <= now() || !isOpenGrant(grant, now())) return await refuse(db, grant, 'the code is too old')
    return await issue(db, grant, `prnd_rt_${newSecret()}`, now())
  }),
  refresh: (token: string, client: string) => change<Tokens | Refusal>(async db => {
    const [family, current] = partsOf(token)
    const grant = await grantBy(db, 'family', digestOf(family))
    if (grant === undefined) return { reason: 'the refresh token is unknown' }
    if (grant.refresh !== digestOf(current)) return await refuse(db, grant, 'the refresh token was used before', 'refresh token')
    if (grant.client !== client) return await refuse(db, grant, 'the refresh token was given to another program', 'refresh token')
    if (!isPerson(grant.person)) return { reason: 'the person is gone' }
    if ((grant.refresh_until ?? 0) <= now() || !isOpenGrant(grant, now())) return await refuse(db, grant, 'the grant has ended')
    return await issue(db, grant, family, now())
  }),
  /** A refresh token ends the grant, an access token only itself (RFC 7009). @returns false for an unknown one */
  revokeToken: (token: string) => change(async db => {
    const [family] = partsOf(token)
    const grant = await grantBy(db, 'family', digestOf(family))
    if (grant) await endGrant(db, grant.id)
    const { numDeletedRows } = await db.deleteFrom('oauth_tokens').where('id', '=', digestOf(token)).executeTakeFirst()
    return grant !== undefined || numDeletedRows > 0n
  })
})
