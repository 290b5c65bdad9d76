import { setTimeout as sleep } from 'node:timers/promises'
import type { AmsModel, Command, CommandReply, DryerState, PrinterSession } from '../../core/index.js'

/** Temperature range of each model, °C. */
export const RANGE_C: Readonly<Partial<Record<AmsModel, { readonly min: number, readonly max: number }>>> =
  { AMS_2_PRO: { min: 45, max: 65 }, AMS_HT: { min: 45, max: 85 } }
export const HOURS = { min: 1, max: 999 } as const

/** Number and interval of the checks of a unit after the command. */
const CHECKS = 10
const CHECK_EVERY_MS = 1_000

/** The state of a unit that is no longer there. */
const GONE = 'UNKNOWN'

/** The outcome of the command: the printer's refusal, or what the unit did. */
export type Outcome =
  | { readonly kind: 'refused', readonly reply: CommandReply }
  | { readonly kind: 'drying' | 'unchanged' | 'failed', readonly state: string }

/**
 * Judges the successive states of a unit after the command.
 * @param before its state when the command was sent
 * @returns a function that gives a verdict as soon as there is one
 */
export function createJudge (before: string): (state: string) => 'drying' | 'failed' | undefined {
  let hasMoved = before !== 'DRYING'
  let wasOn = false
  return state => {
    if (state !== 'DRYING') hasMoved = true
    if (state === 'ERROR' || (state === 'OFF' && wasOn)) return 'failed'
    wasOn ||= state !== 'OFF'
    return state === 'DRYING' && hasMoved ? 'drying' : undefined
  }
}

export const dryerState = ({ state }: PrinterSession, amsId: number): DryerState | typeof GONE =>
  state?.ams.units.find(({ id }) => id === amsId)?.dryer?.state ?? GONE

/**
 * Sends the command and watches the unit until it dries, the printer refuses, or ten seconds have passed. A positive
 * reply is not enough: some firmware accepts the command and does nothing.
 * @throws those of the session's `send`, and the reason of `signal`
 */
export async function dryAndWatch (session: PrinterSession, amsId: number, command: Command, signal: AbortSignal,
  everyMs = CHECK_EVERY_MS): Promise<Outcome> {
  const before = dryerState(session, amsId)
  const judge = createJudge(before)
  const over = new AbortController()
  const answer = session.send(command, { replyWithin: CHECKS * everyMs })
  answer.then(reply => { if (reply?.accepted === false) over.abort() }, () => over.abort())
  const either = AbortSignal.any([over.signal, signal, session.signal])
  let state: string = before
  let hasMoved = false
  for (let count = 0; count < CHECKS && !either.aborted; count++) {
    await sleep(everyMs, undefined, { signal: either }).catch(() => {})
    if (either.aborted) break
    state = dryerState(session, amsId)
    hasMoved ||= state !== before
    const verdict = judge(state)
    if (verdict !== undefined) return { kind: verdict, state }
  }
  if (signal.aborted) throw signal.reason
  const reply = await answer
  if (reply?.accepted === false) return { kind: 'refused', reply }
  return { kind: before === 'DRYING' && !hasMoved ? 'unchanged' : 'failed', state }
}
