import { verifyMessage } from '../signed-message.js'
import { CallRequest, checked } from '../types.js'
import type { HubKeys } from './hub-keys.js'

/** Longer than a heartbeat is valid, so a later replay is rejected by its heartbeat. */
const REMEMBER_MS = 15_000

/** A call with a verified sender. @param hub its public key */
export interface ProvenCall { readonly request: CallRequest, readonly hub: string }

export interface CallVerifierOptions {
  /** Subject of these calls to this node. */
  readonly subject: string
  /** Only calls that want to know what would happen, or only those that want it done. */
  readonly isTrial?: boolean
  readonly hubKeys: Pick<HubKeys, 'has'>
  /** Identifies this run of the node. */
  readonly run: string
  /** Called for a message that no accepted hub has signed. */
  readonly onUnproven: () => void
  /** Monotonic clock, ms. */
  readonly steady?: () => number
}

/**
 * Accepts each call once that an accepted hub has signed for this run of this node. Everything else is dropped at the
 * cost of verifying one signature. No time of day is compared: a call names the node's own run and heartbeat.
 */
export function createCallVerifier (options: CallVerifierOptions) {
  const { subject, isTrial = false, hubKeys, run, onUnproven, steady = () => performance.now() } = options
  /** Reply inboxes with the time of their call; a hub uses a new inbox for every message. */
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
    if (request === undefined || request.run !== run || (request.dryRun ?? false) !== isTrial) return undefined
    if (isCopy(request.reply)) return undefined
    return { request, hub: verified.publicKey }
  }
}
