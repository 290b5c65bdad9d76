import type { Gate } from './analysis/gates.js'
import { isGated, isMonitored } from './stages.js'
import type { JobContext, Reason, Sight, Status, Verdict, Word } from './types.js'

export interface StatusInput {
  readonly context: Pick<JobContext, 'gcodeState' | 'stageId' | 'layer' | 'nozzleC' | 'nozzleTargetC' | 'bedC' |
    'bedTargetC'>
  /** Of the last picture; undefined when none was judged. */
  readonly verdict?: Verdict | undefined
  readonly stable?: Verdict | undefined
  readonly sight: Sight
  /** Chance of success. */
  readonly success: number | null
  /** Percent of the print at the first picture. @default 0 */
  readonly seenFrom?: number
  /** What is to be on the plate is known: what was there at first is compared with it. */
  readonly isPlateKnown?: boolean
}

/** Bed, nozzle and chamber warm up, or are waited for. */
const HEATING_STAGES: ReadonlySet<number> = new Set([2, 7, 49, 54, 58])
const PAUSE_STAGES: ReadonlySet<number> = new Set([5, 6, 16, 17, 20, 21, 23, 26, 27, 28, 30, 32, 33, 34, 35])
/** So far below its target, in °C, a nozzle or bed is not ready for the first layer. */
const COLD_NOZZLE = 15
const COLD_BED = 10

function reasonOf ({ gcodeState, stageId, layer, ...heat }: StatusInput['context']): Reason | null {
  if (gcodeState === 'PAUSE' || (isMonitored(gcodeState) && PAUSE_STAGES.has(stageId))) return 'paused'
  if (gcodeState === 'PREPARE' || gcodeState === 'SLICING') return 'preparing'
  if (!isMonitored(gcodeState)) return 'idle'
  if (HEATING_STAGES.has(stageId)) return 'heating'
  if (isGated(stageId)) return layer > 0 ? 'busy' : 'preparing'
  const isCold = heat.nozzleTargetC - heat.nozzleC > COLD_NOZZLE || heat.bedTargetC - heat.bedC > COLD_BED
  return layer <= 0 && isCold ? 'heating' : null
}

const BLIND: ReadonlySet<Sight> = new Set(['dark', 'washed', 'covered', 'missing'])
const SIGHT_OF_GATE: Readonly<Record<Gate, Sight>> =
  { dark: 'dark', washed: 'washed', flat: 'covered', blurred: 'blurred' }
/** With more of the plate behind the tool head than this, a picture says little of the print. */
const OBSTRUCTED = 0.5

/** @param hidden share of the plate behind the tool head */
export const sightOf = (gate: Gate | undefined, hidden = 0): Sight =>
  gate ? SIGHT_OF_GATE[gate] : hidden > OBSTRUCTED ? 'obstructed' : 'clear'

/** Who looks from later on than this, in percent, does not know how the plate was. */
const LATE_PCT = 5
export const isLate = (seenFrom: number): boolean => seenFrom > LATE_PCT

/** Health lies within these: the gauge never contradicts the word. */
const BOUNDS: Readonly<Record<Verdict, readonly [least: number, most: number]>> =
  { clean: [0.7, 1], warning: [0.4, 0.69], critical: [0, 0.39] }

/** The stable verdict; a last picture that looks worse is a warning until others confirm it. */
function foundBy (verdict: Verdict, stable: Verdict | undefined): Verdict {
  if (stable === undefined) return verdict
  return stable === 'clean' && verdict !== 'clean' ? 'warning' : stable
}

/** A chance of success that is not higher than a word allows. */
export const agreedSuccess = (word: Word, success: number): number =>
  word === 'warning' || word === 'critical' ? Math.min(success, BOUNDS[word][1]) : success

const WHY: Readonly<Record<Reason, string>> = {
  idle: 'Nothing prints.',
  preparing: 'The printer prepares.',
  heating: 'The printer heats up.',
  busy: 'The printer is busy with another task.',
  paused: 'The print is paused.',
  unseen: 'The print cannot be judged.'
}
const SEEN: Readonly<Record<Sight, string>> = {
  clear: '',
  blurred: 'The picture is out of focus.',
  obstructed: 'The tool head is in front of the plate.',
  dark: 'The picture is dark.',
  washed: 'The picture is overexposed.',
  covered: 'The lens seems to be covered.',
  missing: 'The camera sends no new picture.'
}
const FOUND: Readonly<Record<Verdict, string>> = {
  clean: 'The print looks well.',
  warning: 'Something may be wrong with the print.',
  critical: 'The print seems to fail.'
}

function sentences (word: Word, reason: Reason | null, input: StatusInput): string {
  const { verdict, stable, sight, seenFrom = 0, isPlateKnown = false } = input
  const parts = word === 'standby' || reason !== null
    ? [...(word === 'standby' ? [] : [FOUND[word]]), reason === null ? '' : WHY[reason]]
    : word === 'clean' && sight !== 'clear' ? ['The print looks well, as far as can be seen.'] : [FOUND[word as Verdict]]
  const isUnconfirmed = word === 'warning' && (stable ?? 'clean') === 'clean' && verdict !== 'clean'
  const awaited = isUnconfirmed ? 'The next pictures will confirm it or not.' : ''
  const idle = reason === 'idle' || reason === 'preparing' || reason === 'heating' || reason === 'busy'
  const isPart = word === 'clean' && isLate(seenFrom)
  const since = `Seen since ${Math.round(seenFrom)} %:`
  const changes = !isPart
    ? ''
    : `${since} what was there before is ${isPlateKnown ? 'compared with the plate of the job' : 'judged with less certainty'}.`
  return [...parts, changes, awaited, idle ? '' : SEEN[sight]].filter(part => part !== '').join(' ')
}

/** Decides what is shown, wherever it is shown. */
export function statusOf (input: StatusInput): Status {
  const { context, verdict, stable, sight, success } = input
  const found = verdict === undefined ? undefined : foundBy(verdict, stable)
  const waits = reasonOf(context)
  const isFailing = found !== undefined && found !== 'clean'
  const reason = waits ?? (!isFailing && (found === undefined || BLIND.has(sight)) ? 'unseen' : null)
  // A pause does not make a failure go away; before a print there is none.
  const word = found === undefined || (reason !== null && !(isFailing && reason === 'paused')) ? 'standby' : found
  const [least, most] = word === 'standby' ? [0, 0] : BOUNDS[word]
  const health = word === 'standby' || success === null ? null : Math.max(least, Math.min(most, success))
  return { word, reason, sight, health, summary: sentences(word, reason, input) }
}
