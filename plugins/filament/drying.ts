import { setTimeout as sleep } from 'node:timers/promises'
import type { AmsModel, Command, CommandReply, DryerState, PrinterSession } from '../../core/index.js'

/** What each model can do, °C. */
export const RANGE_C: Readonly<Partial<Record<AmsModel, { readonly min: number, readonly max: number }>>> =
  { AMS_2_PRO: { min: 45, max: 65 }, AMS_HT: { min: 45, max: 85 } }
export const HOURS = { min: 1, max: 999 } as const

/** How often a unit is looked at after the command, and how far apart. */
const LOOKS = 10
const LOOK_EVERY_MS = 1_000

/** The state of a unit that is not there any more. */
const GONE = 'UNKNOWN'

/** What came of the command: the printer's refusal, or what the unit did. */
export type Outcome =
  | { readonly kind: 'refused', readonly reply: CommandReply }
  | { readonly kind: 'drying' | 'unchanged' | 'failed', readonly state: string }

/**
 * Judges the states a unit shows after the command, one by one.
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
 * Sends the command and watches the unit until it dries, the printer refuses, or ten seconds are over. An answer
 * that consents says little: some firmware consents and does nothing.
 * @throws those of the session's `send`, and the reason of `signal`
 */
export async function dryAndWatch (session: PrinterSession, amsId: number, command: Command, signal: AbortSignal,
  everyMs = LOOK_EVERY_MS): Promise<Outcome> {
  const before = dryerState(session, amsId)
  const judge = createJudge(before)
  const over = new AbortController()
  const answer = session.send(command, { replyWithin: LOOKS * everyMs })
  answer.then(reply => { if (reply?.accepted === false) over.abort() }, () => over.abort())
  const either = AbortSignal.any([over.signal, signal, session.signal])
  let state: string = before
  let hasMoved = false
  for (let look = 0; look < LOOKS && !either.aborted; look++) {
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
