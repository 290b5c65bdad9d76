import { Type } from 'typebox'
import type { PasskeyRow } from './tables.js'

const Bytes = (longest: number) => Type.String({ maxLength: longest, description: 'base64url' })
const Time = Type.String({ description: 'ISO 8601, UTC' })
const Extensions = Type.Object({}, { additionalProperties: true })

/** What `navigator.credentials.create` answers, as JSON. */
export const NewCredential = Type.Object({
  id: Bytes(1_400),
  rawId: Bytes(1_400),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Type.Union([Type.Literal('platform'), Type.Literal('cross-platform'), Type.Null()])),
  clientExtensionResults: Type.Optional(Extensions),
  response: Type.Object({
    clientDataJSON: Bytes(8_000),
    attestationObject: Bytes(16_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 }))
  })
})

/** What `navigator.credentials.get` answers, as JSON. */
export const ShownCredential = Type.Object({
  id: Bytes(1_400),
  rawId: Bytes(1_400),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Optional(Extensions),
  response: Type.Object({
    clientDataJSON: Bytes(8_000),
    authenticatorData: Bytes(4_000),
    signature: Bytes(4_000),
    userHandle: Type.Optional(Type.Union([Bytes(200), Type.Null()]))
  })
})

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  host: Type.String({ description: 'The host name at which it works' }),
  created_at: Time,
  used_at: Type.Union([Time, Type.Null()], { description: 'Null: never' })
})

const iso = (ms: number) => new Date(Number(ms)).toISOString()

export const passkeyView = ({ id, name, host, created_at: at, used_at: used }: PasskeyRow) =>
  ({ id, name, host, created_at: iso(at), used_at: used === null ? null : iso(used) })
