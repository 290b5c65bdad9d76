/** Why a drying cycle cannot start, in our wording. */
const REASONS: Readonly<Record<number, string>> = {
  0: 'The AMS has another task.',
  1: 'There is not enough power for drying.',
  2: 'The AMS is busy.',
  3: 'Filament is at the outlet of the AMS; unload it first.',
  4: 'A drying cycle is just starting.',
  5: 'Drying is not possible in 2D mode.',
  6: 'Drying is in progress.',
  7: 'The firmware is being updated.',
  8: 'The AMS needs its own power supply; plug it in.',
  10: 'Filament is at the outlet of the AMS; pull it out by hand.'
}
const BUSY = 'The system is busy; try again later.'
const RUNNING = 6
/** Of these, only the first that applies is shown. */
const FIRST_OF = [RUNNING, 2, 3, 10]
const POWER = 1
const IN_ORDER = [8, 5, 4, 7]

/** One line for each relevant reason; empty when drying can start or is running. */
export function refusalMessage (refusals: readonly number[]): string {
  if (refusals.every(reason => reason === RUNNING)) return ''
  const first = FIRST_OF.find(reason => refusals.includes(reason))
  const chosen = [
    ...(first === undefined ? [] : [first]),
    ...(refusals.includes(POWER) ? [POWER] : []),
    ...refusals.filter(reason => IN_ORDER.includes(reason))
  ]
  return chosen.length === 0 ? BUSY : chosen.map(reason => REASONS[reason] ?? BUSY).join('\n')
}
