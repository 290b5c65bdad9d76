import { GARBAGE_KINDS, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import type { Dice } from '../values.js'
import type { Sight } from './sight.js'

interface Trouble {
  readonly kind: string
  readonly weight: number
  /** Seconds that it lasts, at least and at most. */
  readonly lasts: readonly [least: number, most: number]
  /** Connections end with it. */
  readonly breaks?: boolean
  begin (printer: VirtualPrinter, dice: Dice): (() => void) | void
}

/** Of the printer, whose clock runs ten times as fast. */
const SLOW_MS = 20_000
const CAMERA_TROUBLE = 'camera'

const TROUBLES: readonly Trouble[] = [
  { kind: 'dropped', weight: 25, lasts: [0, 0], breaks: true, begin: ({ faults }) => faults.drop() },
  {
    kind: 'unreachable',
    weight: 15,
    lasts: [3, 12],
    breaks: true,
    begin ({ faults }) {
      const lift = faults.refuseConnections()
      faults.drop()
      return lift
    }
  },
  { kind: 'silent', weight: 15, lasts: [5, 25], begin: ({ faults }) => faults.silence() },
  { kind: 'frozen', weight: 10, lasts: [5, 20], breaks: true, begin: ({ faults }) => faults.silence({ pings: false }) },
  { kind: 'refused login', weight: 5, lasts: [4, 10], breaks: true, begin: ({ faults }) => faults.rejectAccessCode() },
  { kind: 'garbage', weight: 20, lasts: [0, 0], begin: ({ faults }, dice) => faults.garbage(dice.oneOf(GARBAGE_KINDS)) },
  { kind: 'slow', weight: 10, lasts: [10, 20], begin: ({ faults }) => faults.delayReplies(SLOW_MS) },
  { kind: 'answers twice', weight: 5, lasts: [10, 20], begin: ({ faults }) => faults.duplicateReplies() },
  { kind: CAMERA_TROUBLE, weight: 15, lasts: [5, 20], begin: ({ faults }) => faults.camera.stall() }
]

const TOTAL = TROUBLES.reduce((sum, { weight }) => sum + weight, 0)
const S = 1_000
/** Seconds between the end of one fault and the next. */
const REST_S = [20, 100] as const

const between = ([least, most]: readonly [number, number], dice: Dice) => least + dice.next() * (most - least)

function pick (dice: Dice): Trouble {
  let left = dice.below(TOTAL)
  return TROUBLES.find(({ weight }) => (left -= weight) < 0) ?? TROUBLES[0] as Trouble
}

export interface Troubles {
  /** Begins what is due, ends what is over. @param calm nothing new begins */
  step (calm: boolean): void
  readonly counts: Readonly<Record<string, number>>
}

/** Things that go wrong with one printer, one after another. */
export function createTroubles (printer: VirtualPrinter, sight: Sight, dice: Dice): Troubles {
  const counts: Record<string, number> = {}
  let nextAt = Date.now() + between(REST_S, dice) * S
  let standing: { readonly until: number, readonly lift: () => void } | undefined

  function begin (trouble: Trouble): void {
    counts[trouble.kind] = (counts[trouble.kind] ?? 0) + 1
    sight.blind(trouble.breaks === true)
    const lift = trouble.begin(printer, dice) ?? (() => {})
    standing = { until: Date.now() + between(trouble.lasts, dice) * S, lift }
    end(Date.now())
  }

  function end (now: number): void {
    if (standing === undefined || now < standing.until) return
    standing.lift()
    standing = undefined
    sight.clear()
    nextAt = now + between(REST_S, dice) * S
  }

  return {
    counts,
    step (calm) {
      end(Date.now())
      if (calm) nextAt = Math.max(nextAt, Date.now() + dice.next() * REST_S[1] * S)
      else if (standing === undefined && Date.now() >= nextAt) begin(pick(dice))
    }
  }
}
