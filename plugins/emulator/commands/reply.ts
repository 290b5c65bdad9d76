import type { Json } from '../json-merge.js'
import type { Machine } from '../machine/types.js'

export type Body = Readonly<Json>

/** Keys that an answer adds to the echo of the request. */
export type Reply = Json

/** Carries out a request; undefined when the printer does not answer it. */
export type Handler = (m: Machine, body: Body) => Reply | undefined

/** Handlers by command name, for one section. */
export type Handlers = Readonly<Record<string, Handler>>

export const done = (extra: Json = {}): Reply => ({ result: 'success', reason: '', ...extra })

export const refused = (extra: Json = {}): Reply => ({ result: 'fail', reason: '', ...extra })

/** Newer commands carry a reason number instead of a text. */
export const doneQuietly = (): Reply => ({ result: 'success', errno: 0 })

export const outOfRange = (): Reply => refused({ reason: 'out of range', errno: -1 })

/** For settings that change nothing a report shows. */
export const acknowledged: Handler = () => done()
