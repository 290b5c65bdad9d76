import { Type } from 'typebox'
import { BadInput, isActive, JobActive, operation, requireCurrentState, unknownName } from '../../../core/index.js'
import { OutcomeWanted, PlateChanged, RunActive } from '../errors.js'
import { pausesOfPrinter } from '../store/pauses.js'
import { pauseOfGroup, PAUSE_OF_QUEUE } from '../view.js'

export const confirmPlateClear = operation({
  name: 'queue.confirmPlateClear',
  summary: 'The build plate is empty and in place: the queue may print on it',
  effect: 'destructive',
  consequence: 'The next job may start on this printer at once. A print on a plate that is not empty can destroy ' +
    'the machine.',
  input: Type.Object({
    outcome: Type.Optional(Type.Enum(['printed', 'not_printed'], {
      description: 'Only when it is unknown whether the last job was printed'
    })),
    seen: Type.Optional(Type.String({
      maxLength: 64, description: '`seen` of the printer when you checked it: refused when it has printed since'
    }))
  }),
  output: Type.Object({ printer: Type.String(), plate: Type.Literal('clear') }),
  guards: [requireCurrentState],
  errors: [JobActive, RunActive, OutcomeWanted, PlateChanged],
  async run ({ session, kernel, services: { queue }, askedBy }, { outcome, seen }) {
    const { store, runner, observer } = queue
    const { name, config: { serial } } = session
    const run = await store.activeRun(serial)
    function check (): void {
      const { gcodeState = '', subtaskName = '' } = session.state?.job ?? {}
      if (isActive(gcodeState)) throw new JobActive(name, gcodeState)
      const isAsSeen = seen === undefined || seen === observer.fingerprint(session, run)
      if (!isAsSeen) throw new PlateChanged(name, subtaskName, gcodeState)
    }
    check()
    if (run) {
      const { name: jobName } = await store.findJob(run.job).catch(() => ({ name: run.job }))
      if (run.state !== 'unknown') throw new RunActive(name, jobName)
      if (outcome === undefined) throw new OutcomeWanted(jobName, name)
      const printed = outcome === 'printed'
      await runner.end(run, {
        state: printed ? 'finished' : 'not_started',
        reason: `${outcome.replace('_', ' ')}, according to ${askedBy}`,
        plate: 'used'
      })
    }
    check() // the printer may have changed during the query
    const identity = observer.identity(session)
    if (!await store.confirmClear({ serial, identity, by: askedBy, now: kernel.now() })) throw new RunActive(name, '')
    runner.wake()
    return { printer: name, plate: 'clear' as const }
  }
})

const MINUTE_MS = 60_000
/** A week. */
const MOST_MINUTES = 10_080

export const pauseQueue = operation({
  name: 'queue.pause',
  summary: 'Pause or resume the queue, a group or a printer',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'While paused nothing new starts there; prints in progress continue. Once resumed, or when the given minutes are over, ' +
    'prints may start at once.',
  input: Type.Object({
    of: Type.Optional(Type.String({ maxLength: 64, description: 'Printer or group; left out: the whole queue' })),
    paused: Type.Boolean(),
    minutes: Type.Optional(Type.Integer({
      minimum: 1,
      maximum: MOST_MINUTES,
      description: 'The pause ends by itself after so long, unless somebody pauses it without an end; left out: it does not'
    }))
  }),
  output: Type.Object({
    of: Type.String(),
    paused: Type.Boolean(),
    until: Type.Union([Type.Integer(), Type.Null()], { description: 'When this pause ends by itself, ms since the epoch; null: it does not' })
  }),
  async run ({ kernel, services: { queue }, askedBy: by }, { of, paused, minutes }) {
    if (!paused && minutes !== undefined) throw new BadInput('minutes are for a pause')
    const groups = queue.groups.map(({ name }) => name)
    const { names } = kernel.printers
    const problem = of === undefined ? undefined : unknownName('printer or group', [of], [...names, ...groups])
    if (problem !== undefined) throw new BadInput(problem)
    const serial = of === undefined ? undefined : kernel.printers.config(of)?.serial
    const ids: readonly [string, ...string[]] = of === undefined
      ? [PAUSE_OF_QUEUE]
      : serial === undefined ? [pauseOfGroup(of)] : pausesOfPrinter({ name: of, serial })
    const now = kernel.now()
    const until = minutes === undefined ? undefined : now + minutes * MINUTE_MS
    if (paused) await queue.store.pause({ id: ids[0], until, by, now })
    else await queue.store.resume(...ids)
    queue.runner.wake()
    return { of: of ?? 'queue', paused, until: until ?? null }
  }
})
