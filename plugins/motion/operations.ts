import { Type, type Static } from 'typebox'
import {
  BadInput, isServiceError, JobActive, mayUse, operation, PrinterClaimed, requireCurrentState, type Command, type Guard,
  type Preview, type PrinterContext, type PrinterSession
} from '../../core/index.js'
import { DIRECTIONS, MOST_MM, travelsOf } from './travels.js'
import { extrude, extrudeMs, home, move, moveMs, releaseMotors } from './commands.js'
import { CannotMove } from './errors.js'
import type { Motion } from './motion.js'
import { Confirmation, Extrude, Home, MOST_FILAMENT_MM, MotionView, Move } from './schemas.js'
import {
  activeNozzleOf, wantsLook, whyNot, whyNotExtrude, whyNotHome, whyNotMove, whyOtherJob, type Why
} from './why-not.js'

/** Longest that an act may take until the printer has accepted it, ms. */
const ACT_MS = 30_000

const STAND_BY = 'A person has to stand by the printer and watch.'

/** The printer has said that it does nothing. After any other failure it may move all the same. */
const REFUSALS: ReadonlySet<string> = new Set(['PRN_ERR_REFUSED', 'PRN_ERR_SIGNATURE_REQUIRED'])

/** @throws PRN_ERR_JOB_ACTIVE, PRN_ERR_CANNOT_MOVE */
function refuse ({ name, state }: PrinterSession, why: Why | undefined): void {
  if (why?.code === 'prints') throw new JobActive(name, state?.job.gcodeState ?? '')
  if (why) throw new CannotMove(name, why.message).with({ why: why.code })
}

/** Nothing else goes on: no job, no update, no change of filament or plate, no act by hand. */
const mayMove: Guard = context => {
  requireCurrentState(context)
  refuse(context.session, whyNot(context.session, context.services.motion.facts(context.session)))
}

interface Act {
  /** As in "refused to home". */
  readonly what: string
  readonly command: Command
  /** Looked at once more in the turn in which it is sent. */
  readonly why: () => Why | undefined
  readonly begin: (motion: Motion, session: PrinterSession) => void
  readonly onAccepted?: (holds: Motion['holds'], serial: string) => void
}

/** Sends one act, while nobody else acts on the printer. */
async function act ({ session, services: { motion }, signal }: PrinterContext, plan: Act) {
  const { what, command, why, begin, onAccepted } = plan
  refuse(session, why())
  return await session.exclusively('a move by hand', async () => {
    const { why: starts, letBack } = await motion.keepQueueAway(session)
    refuse(session, starts)
    let hasBegun = false
    const sent = await session.perform(what, command, [], () => {
      requireCurrentState({ session })
      refuse(session, whyNot(session, motion.facts(session)) ?? why())
      begin(motion, session)
      hasBegun = true
    }).catch(async (error: unknown) => {
      if (!hasBegun) await letBack()
      else if (isServiceError(error) && REFUSALS.has(error.code)) motion.holds.refused(session.config.serial)
      throw error
    })
    if (sent.confirmed) onAccepted?.(motion.holds, session.config.serial)
    return sent
  }, { signal, withinMs: ACT_MS })
}

/** For a dry run: neither the queue nor the next act has to wait. */
function trial ({ session }: PrinterContext, { command, why }: Act): Preview {
  refuse(session, why())
  return { sends: [command] }
}

const errors = [JobActive, CannotMove, PrinterClaimed]

export const readMotion = operation({
  name: 'motion.read',
  summary: 'Which moves by hand are possible now, or why not',
  effect: 'read',
  input: Type.Object({}),
  output: MotionView,
  run ({ session, kernel, caller, services: { motion } }) {
    const nozzle = activeNozzleOf(session)
    const travels = travelsOf(session.model)
    const homed = motion.homed(session)
    return {
      printer: session.name,
      may_act: mayUse(kernel, moveAxis, caller),
      why: whyNot(session, motion.facts(session)) ?? null,
      homed: homed ?? null,
      moves: travels === undefined
        ? []
        : DIRECTIONS.map(direction => ({
          direction,
          part: travels[direction].part,
          closer: wantsLook(travels[direction], session.state),
          most_mm: MOST_MM[travels[direction].axis],
          why: whyNotMove(session, direction, { homed, isClear: true }) ?? null
        })),
      extrude: {
        why: whyNotExtrude(session) ?? null,
        nozzle: nozzle?.name ?? null,
        nozzle_c: nozzle?.actualC ?? null,
        least_c: nozzle?.leastC ?? null,
        material: nozzle?.material ?? '',
        most_mm: MOST_FILAMENT_MM
      }
    }
  }
})

const homing = (
  { session }: PrinterContext, { plate_is_clear: isClear = false, job_start: start }: Static<typeof Home>
): Act => ({
  what: 'to home',
  command: home(),
  why: () => whyNotHome(isClear) ?? whyOtherJob(session, start),
  begin: (motion, session) => motion.beginHoming(session),
  onAccepted: (holds, serial) => holds.homingAccepted(serial)
})

export const homeAxes = operation({
  name: 'motion.home',
  summary: 'Home all axes',
  effect: 'destructive',
  consequence: `Head and bed move to find their ends, and the nozzle touches the plate: what lies on it is hit. ${STAND_BY}`,
  input: Home,
  output: Confirmation,
  guards: [mayMove],
  errors,
  preview: async (context, input) => trial(context, homing(context, input)),
  run: async (context, input) => await act(context, homing(context, input))
})

function moving ({ session, services: { motion } }: PrinterContext,
  { direction, distance_mm: mm, plate_is_clear: isClear = false, job_start: start }: Static<typeof Move>): Act {
  const travel = travelsOf(session.model)?.[direction]
  const why = () =>
    whyNotMove(session, direction, { homed: motion.homed(session), isClear }) ?? whyOtherJob(session, start)
  if (!travel) return refuse(session, why()) as never // it says that the model is unknown
  const most = MOST_MM[travel.axis]
  if (mm > most) throw new BadInput(`distance_mm must be at most ${most} for ${direction}`)
  return {
    what: 'to move',
    command: move(travel, mm),
    why,
    begin: ({ holds }, { config: { serial } }) => holds.begin(serial, moveMs(travel, mm))
  }
}

export const moveAxis = operation({
  name: 'motion.move',
  summary: 'Move head or bed by a distance',
  effect: 'destructive',
  consequence: `Head or bed move at once, and hit what is in the way. ${STAND_BY}`,
  input: Move,
  output: Confirmation,
  guards: [mayMove],
  errors: [...errors, BadInput],
  preview: async (context, input) => trial(context, moving(context, input)),
  run: async (context, input) => await act(context, moving(context, input))
})

const extruding = ({ session }: PrinterContext, { direction, length_mm: mm, nozzle }: Static<typeof Extrude>): Act => ({
  what: `to ${direction}`,
  command: extrude(direction === 'extrude' ? mm : -mm),
  why: () => whyNotExtrude(session, nozzle),
  begin: ({ holds }, { config: { serial } }) => holds.begin(serial, extrudeMs(mm))
})

export const extrudeFilament = operation({
  name: 'motion.extrude',
  summary: 'Push filament out of the nozzle, or pull it back',
  effect: 'destructive',
  consequence: `Hot filament comes out of the nozzle, or is pulled back towards the spool. ${STAND_BY}`,
  input: Extrude,
  output: Confirmation,
  guards: [mayMove],
  errors,
  preview: async (context, input) => trial(context, extruding(context, input)),
  run: async (context, input) => await act(context, extruding(context, input))
})

const RELEASE: Act = {
  what: 'to release the motors',
  command: releaseMotors(),
  why: () => undefined,
  begin: (motion, session) => motion.releaseMotors(session)
}

export const motorsOff = operation({
  name: 'motion.motorsOff',
  summary: 'Take the current from the motors',
  effect: 'write',
  consequence: `Head and bed can be pushed by hand, and no axis is homed any more. ${STAND_BY}`,
  input: Type.Object({}),
  output: Confirmation,
  guards: [mayMove],
  errors,
  preview: async context => trial(context, RELEASE),
  run: async context => await act(context, RELEASE)
})
