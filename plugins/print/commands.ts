import type { Command } from '../../core/index.js'

const job = (command: 'pause' | 'resume' | 'stop'): Command => ({ section: 'print', command, param: '' })

/** @wire print.pause */
export const pause = job('pause')
/** @wire print.resume */
export const resume = job('resume')
/** @wire print.stop */
export const stop = job('stop')

export const SPEEDS = ['quiet', 'standard', 'sport', 'ludicrous'] as const
export type Speed = (typeof SPEEDS)[number]

/**
 * Speed profile; on the wire a number from 1 as text.
 * @wire print.print_speed
 */
export const speed = (level: Speed): Command =>
  ({ section: 'print', command: 'print_speed', param: String(SPEEDS.indexOf(level) + 1) })

/**
 * Leaves objects out of the running job.
 * @param ids identify_id of each
 * @wire print.skip_objects
 */
export const skip = (ids: readonly number[]): Command =>
  ({ section: 'print', command: 'skip_objects', obj_list: ids })

/**
 * Raw G-code, one command per line.
 * @wire print.gcode_line
 */
export const gcode = (lines: readonly string[]): Command =>
  ({ section: 'print', command: 'gcode_line', param: lines.map(line => `${line}\n`).join('') })

const hex8 = (number: number) => (number >>> 0).toString(16).toUpperCase().padStart(8, '0')

/**
 * Clears the error value.
 * @param error 32-bit number, 0 for the active one
 * @wire print.clean_print_error
 */
export const clearError = (error: number, subtaskId: string): Command =>
  ({ section: 'print', command: 'clean_print_error', subtask_id: subtaskId, print_error: error })

/**
 * Closes the dialog, so that the printer and other clients do not show it again; never answered.
 * @wire system.uiop
 */
export const closeDialogue = (error: number): Command => ({
  section: 'system',
  command: 'uiop',
  name: 'print_error',
  action: 'close',
  source: 1,
  type: 'dialog',
  err: hex8(error)
})
