import { verifyMessage } from '../signature.js'
import { CallRequest, checked } from '../types.js'
import type { HubKeys } from './hub-keys.js'

/** Longer than a beat counts: what comes again later is out of date by its beat. */
const REMEMBER_MS = 15_000

/** What a hub asks for. @param hub its public key */
export interface ProvenCall { readonly request: CallRequest, readonly hub: string }

export interface CallVerifierOptions {
  /** Of the calls to this node. */
  readonly subject: string
  readonly hubKeys: Pick<HubKeys, 'has'>
  /** Of this run of the node. */
  readonly run: string
  /** Told of what no accepted hub has signed. */
  readonly onUnproven: () => void
  /** ms of a clock that never jumps. */
  readonly steady?: () => number
}

/**
 * Lets through what an accepted hub has signed for this run of this node, once. Everything else is dropped before it
 * costs more than one look at a signature. No time of day is compared: a call names the node's own run and beat.
 */
export function createCallVerifier (options: CallVerifierOptions) {
  const { subject, hubKeys, run, onUnproven, steady = () => performance.now() } = options
  /** Where answers went, and when; a hub takes another inbox whenever it sends a call. */
  const replies = new Map<string, number>()

  function isCopy (reply: string): boolean {
    const now = steady()
    for (const [old, at] of replies) {
      if (now - at < REMEMBER_MS) break
      replies.delete(old)
    }
    if (replies.has(reply)) return true
    replies.set(reply, now)
    return false
  }

  return (message: Uint8Array): ProvenCall | undefined => {
    const verified = verifyMessage(message, subject, hubKeys.has)
    if (verified === undefined) {
      onUnproven()
      return undefined
    }
    const request = checked(CallRequest, verified.content)
    if (request === undefined || request.run !== run || isCopy(request.reply)) return undefined
    return { request, hub: verified.publicKey }
  }
}
