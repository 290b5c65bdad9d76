import { Type } from 'typebox'
import { isActive, isStartPending, JobActive, operation, requireCurrentState } from '../../../core/index.js'
import { NoPendingStart, OtherStart } from '../errors.js'

export const giveUpStart = operation({
  name: 'projects.giveUpStart',
  summary: 'Give up a start that the printer accepted but does not report',
  effect: 'destructive',
  consequence: 'Another print may be started although the printer may still begin the one it accepted: then both are ' +
    'printed, the second onto the first. Check the printer, and cancel what its screen shows, before you do this.',
  input: Type.Object({
    since: Type.Optional(Type.Integer({
      minimum: 0,
      description: 'Only the start that was sent then, `since` of its `pending_start`; left out: whichever is pending'
    }))
  }),
  output: Type.Object({ printer: Type.String(), job: Type.String({ description: 'Name of the job that was given up' }) }),
  guards: [requireCurrentState],
  errors: [NoPendingStart, OtherStart, JobActive],
  async run ({ session, kernel, services: { projects }, askedBy, log }, { since }) {
    const { name, state, context: { start } } = session
    const now = state?.job.gcodeState ?? ''
    if (isActive(now)) throw new JobActive(name, now)
    const isPending = isStartPending(start, kernel.now())
    if (isPending && since !== undefined && start.at !== since) throw new OtherStart(name, start.subtaskName)
    const wasAwaited = await projects.givenUp(session, askedBy, isPending ? { task: start.taskId } : { since })
    const later = session.context.start
    if (later !== undefined && later.at !== start?.at) throw new OtherStart(name, later.subtaskName)
    if (!session.giveUpStart() && !isPending && !wasAwaited) throw new NoPendingStart(name)
    log.warn({ printer: name, job: start?.subtaskName, by: askedBy }, 'a start was given up')
    return { printer: name, job: start?.subtaskName ?? '' }
  }
})
