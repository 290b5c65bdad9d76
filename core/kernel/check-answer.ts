import { Type } from 'typebox'
import { defineError } from '../errors.js'
import type { HmsAction } from '../printer/hms/index.js'
import { rankFaults } from '../printer/state/errors.js'
import { requireCurrentState } from './state-guards.js'
import type { PrinterContext } from './types.js'

export const DialogueGone = defineError<[printer: string, fault: string]>('PRN_ERR_DIALOGUE_GONE',
  "'%s' does not show %s of that job any more: nothing was sent. Look at what it shows, and decide again", 409)

export const NotAnAnswer = defineError<[answer: string, fault: string, allowed: string]>('PRN_ERR_NOT_AN_ANSWER',
  "'%s' is no answer to %s: nothing was sent. %s", 409)

const MS_PER_S = 1000

/** Members of an input that say which dialogue of the printer is answered. */
export const answerTo = {
  fault: Type.Optional(Type.String({
    maxLength: 64, description: 'Only as an answer to this fault, its `code` in hms_errors; left out: whatever the printer shows'
  })),
  job_start: Type.Optional(Type.Number({ description: 'With fault: only in the job that began then, its `wall_start_time`' }))
}

/**
 * Refuses an answer to a dialogue that the printer does not show any more: whatever it shows by now was not meant.
 * @param answer as the command of the dialogue's buttons
 * @throws PRN_ERR_DIALOGUE_GONE, PRN_ERR_NOT_AN_ANSWER, PRN_ERR_STATE_NOT_CURRENT, PRN_ERR_NOT_CONNECTED
 */
export function checkAnswer (
  { session, kernel: { hms } }: Pick<PrinterContext, 'session' | 'kernel'>,
  { fault: code, job_start: start }: { readonly fault?: string, readonly job_start?: number }, answer: string
): void {
  if (code === undefined) return
  requireCurrentState({ session })
  const { name, state, config: { serial } } = session
  const shown = rankFaults(state?.errors.faults ?? [])
    .find(({ fault, active, historical }) => fault.code === code && active && !historical)
  const startedAt = state?.job.startedAt
  const isOtherJob = start !== undefined && startedAt !== undefined && startedAt / MS_PER_S !== start
  if (shown === undefined || isOtherJob) throw new DialogueGone(name, code)
  const allowed: readonly HmsAction['command'][] = hms.actions(shown.fault.digits, serial).map(({ command }) => command)
  if (allowed.some(command => command === answer)) return
  const others = [...new Set(allowed)].filter(command => command !== '')
  throw new NotAnAnswer(answer, code, others.length === 0 ? 'It takes no answer from here' : `It takes ${others.join(', ')}`)
}
