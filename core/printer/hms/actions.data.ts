/** A button of the printer's error dialogue. `command` is what may be sent for it; empty if nothing may. */
export interface HmsAction {
  readonly id: number
  readonly name: string
  readonly label: string
  readonly command: '' | 'resume' | 'done' | 'abort' | 'clean_print_error' | 'assistant' | 'close'
}

const action = (id: number, name: string, label: string, command: HmsAction['command'] = ''): HmsAction =>
  ({ id, name, label, command })

/** Names as the vendor's software spells them, mistakes included. */
export const ACTIONS: readonly HmsAction[] = [
  action(2, 'RESUME_PRINTING', 'Resume'),
  action(3, 'RESUME_PRINTING_DEFECTS', 'Resume, defects accepted'),
  action(4, 'RESUME_PRINTING_PROBELM_SOLVED', 'Resume, solved'),
  action(5, 'STOP_PRINTING', 'Stop'),
  action(6, 'CHECK_ASSISTANT', 'Assistant', 'assistant'),
  action(7, 'FILAMENT_EXTRUDED', 'Extruded, continue', 'done'),
  action(8, 'RETRY_FILAMENT_EXTRUDED', 'Not extruded, retry', 'resume'),
  action(9, 'CONTINUE', 'Finished, continue', 'resume'),
  action(10, 'LOAD_VIRTUAL_TRAY', 'Load'),
  action(11, 'OK_BUTTON', 'OK', 'clean_print_error'),
  action(12, 'FILAMENT_LOAD_RESUME', 'Loaded, resume'),
  action(13, 'JUMP_TO_LIVEVIEW', 'Live view'),
  action(23, 'NO_REMINDER_NEXT_TIME', 'No reminder'),
  action(24, 'REFRESH_NOZZLE', 'Recheck'),
  action(25, 'IGNORE_NO_REMINDER_NEXT_TIME', 'Ignore, no reminder'),
  action(27, 'IGNORE_RESUME', 'Ignore and resume'),
  action(28, 'PROBLEM_SOLVED_RESUME', 'Solved, resume'),
  action(29, 'TURN_OFF_FIRE_ALARM', 'Stop alarm'),
  action(34, 'RETRY_PROBLEM_SOLVED', 'Retry, solved', 'resume'),
  action(35, 'STOP_DRYING', 'Stop drying'),
  action(37, 'CANCLE', 'Cancel', 'close'),
  action(41, 'PROCEED', 'Proceed'),
  action(49, 'OK_JUMP_RACK', 'OK'),
  action(51, 'ABORT', 'Abort', 'abort'),
  action(54, 'DISABLE_PURIFICATION', 'Disable purification'),
  action(57, 'DONT_REMIND_NEXT_TIME', 'Do not remind'),
  action(10_000, 'DBL_CHECK_CANCEL', 'Cancel', 'close'),
  action(10_001, 'DBL_CHECK_DONE', 'Done', 'done'),
  action(10_002, 'DBL_CHECK_RETRY', 'Retry', 'resume'),
  action(10_003, 'DBL_CHECK_RESUME', 'Resume'),
  action(10_004, 'DBL_CHECK_OK', 'Confirm', 'clean_print_error')
]

/** Errors whose buttons are always retry and confirm, whatever the catalogue lists. */
export const RETRY_OR_CONFIRM: ReadonlySet<string> = new Set(['07018004', '07018005', '07018007', '07018012',
  '07028012', '07038012', '07FF8012', '07FF8013'])

/** Errors for which the camera is helpful. */
export const WITH_LIVE_VIEW: ReadonlySet<string> = new Set(['03008002', '03008003', '0300800A'])
