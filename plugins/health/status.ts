import type { Gate } from './analysis/gates.js'
import { isGatedStage, isMonitored } from './stages.js'
import type { JobContext, Reason, Visibility, Status, Verdict, Word } from './types.js'

export interface StatusInput {
  readonly context: Pick<JobContext, 'gcodeState' | 'stageId' | 'layer' | 'nozzleC' | 'nozzleTargetC' | 'bedC' |
    'bedTargetC'>
  /** Verdict of the last picture; undefined when none was judged. */
  readonly verdict?: Verdict | undefined
  readonly stable?: Verdict | undefined
  readonly visibility: Visibility
  /** Chance of success. */
  readonly success: number | null
  /** Progress of the print at the first picture, percent. @default 0 */
  readonly seenFrom?: number
  /** The layout of the plate is known, so the first frame can be compared with it. */
  readonly isPlateKnown?: boolean
  /** The picture is the first of the job, and nothing but a comparison with others judges it. */
  readonly isFirst?: boolean
}

/** Bed, nozzle or chamber heats up, or the printer waits for that. */
const HEATING_STAGES: ReadonlySet<number> = new Set([2, 7, 49, 54, 58])
const PAUSE_STAGES: ReadonlySet<number> = new Set([5, 6, 16, 17, 20, 21, 23, 26, 27, 28, 30, 32, 33, 34, 35])
/** Farther below its target than this, in °C, a nozzle or bed is not ready for the first layer. */
const COLD_NOZZLE = 15
const COLD_BED = 10

function reasonOf ({ gcodeState, stageId, layer, ...heat }: StatusInput['context']): Reason | null {
  if (gcodeState === 'PAUSE' || (isMonitored(gcodeState) && PAUSE_STAGES.has(stageId))) return 'paused'
  if (gcodeState === 'PREPARE' || gcodeState === 'SLICING') return 'preparing'
  if (!isMonitored(gcodeState)) return 'idle'
  if (HEATING_STAGES.has(stageId)) return 'heating'
  if (isGatedStage(stageId)) return layer > 0 ? 'busy' : 'preparing'
  const isCold = heat.nozzleTargetC - heat.nozzleC > COLD_NOZZLE || heat.bedTargetC - heat.bedC > COLD_BED
  return layer <= 0 && isCold ? 'heating' : null
}

const BLIND: ReadonlySet<Visibility> = new Set(['dark', 'washed', 'covered', 'missing'])
const VISIBILITY_OF_GATE: Readonly<Record<Gate, Visibility>> =
  { dark: 'dark', washed: 'washed', flat: 'covered', blurred: 'blurred' }
/** With a larger share of the plate behind the tool head, a picture says little about the print. */
const OBSTRUCTED = 0.5

/** @param hidden share of the plate behind the tool head */
export const visibilityOf = (gate: Gate | undefined, hidden = 0): Visibility =>
  gate ? VISIBILITY_OF_GATE[gate] : hidden > OBSTRUCTED ? 'obstructed' : 'clear'

/** Monitoring that began later than this, in percent, has not seen the empty plate. */
const LATE_PCT = 5
export const isLate = (seenFrom: number): boolean => seenFrom > LATE_PCT

/** Health is clamped to these, so that the gauge never contradicts the word. */
const BOUNDS: Readonly<Record<Verdict, readonly [least: number, most: number]>> =
  { clean: [0.7, 1], warning: [0.4, 0.69], critical: [0, 0.39] }

/** The stable verdict; a worse last picture is a warning until others confirm it. */
function foundBy (verdict: Verdict, stable: Verdict | undefined): Verdict {
  if (stable === undefined) return verdict
  return stable === 'clean' && verdict !== 'clean' ? 'warning' : stable
}

/** Limits the chance of success to what the word allows. */
export const agreedSuccess = (word: Word, success: number): number =>
  word === 'warning' || word === 'critical' ? Math.min(success, BOUNDS[word][1]) : success

const WHY: Readonly<Record<Reason, string>> = {
  idle: 'Nothing is printing.',
  preparing: 'The printer is preparing.',
  heating: 'The printer is heating up.',
  busy: 'The printer is busy with another task.',
  paused: 'The print is paused.',
  unseen: 'The print cannot be judged.'
}
const SEEN: Readonly<Record<Visibility, string>> = {
  clear: '',
  blurred: 'The picture is out of focus.',
  obstructed: 'The tool head is in front of the plate.',
  dark: 'The picture is dark.',
  washed: 'The picture is overexposed.',
  covered: 'The lens seems to be covered.',
  missing: 'The camera sends no new picture.'
}
const FOUND: Readonly<Record<Verdict, string>> = {
  clean: 'The print looks good.',
  warning: 'Something may be wrong with the print.',
  critical: 'The print seems to be failing.'
}

function sentences (word: Word, reason: Reason | null, input: StatusInput): string {
  const { verdict, stable, visibility, seenFrom = 0, isPlateKnown = false } = input
  const parts = word === 'standby' || reason !== null
    ? [...(word === 'standby' ? [] : [FOUND[word]]), reason === null ? '' : WHY[reason]]
    : word === 'clean' && visibility !== 'clear' ? ['The print looks good, as far as can be seen.'] : [FOUND[word as Verdict]]
  const isUnconfirmed = word === 'warning' && (stable ?? 'clean') === 'clean' && verdict !== 'clean'
  const awaited = isUnconfirmed ? 'The next pictures will show whether that is right.' : ''
  const idle = reason === 'idle' || reason === 'preparing' || reason === 'heating' || reason === 'busy'
  const isPart = word === 'clean' && isLate(seenFrom)
  const since = `Seen since ${Math.round(seenFrom)} %:`
  const changes = !isPart
    ? ''
    : `${since} what was there before is ${isPlateKnown ? 'compared with the plate of the job' : 'judged with less certainty'}.`
  const first = word === 'clean' && input.isFirst === true ? 'This is the first look; the next pictures are compared with it.' : ''
  return [...parts, first, changes, awaited, idle ? '' : SEEN[visibility]].filter(part => part !== '').join(' ')
}

/** The status that pages, pictures, API and alerts all show. */
export function statusOf (input: StatusInput): Status {
  const { context, verdict, stable, visibility, success } = input
  const found = verdict === undefined ? undefined : foundBy(verdict, stable)
  const waits = reasonOf(context)
  const isFailing = found !== undefined && found !== 'clean'
  const reason = waits ?? (!isFailing && (found === undefined || BLIND.has(visibility)) ? 'unseen' : null)
  // A failure remains a failure during a pause; any other reason means standby.
  const word = found === undefined || (reason !== null && !(isFailing && reason === 'paused')) ? 'standby' : found
  const [least, most] = word === 'standby' ? [0, 0] : BOUNDS[word]
  const health = word === 'standby' || success === null ? null : Math.max(least, Math.min(most, success))
  return { word, reason, sight: visibility, health, summary: sentences(word, reason, input) }
}
