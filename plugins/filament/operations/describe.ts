import { Type } from 'typebox'
import {
  BadInput, closestMatch, isHolder, operation, requireCurrentState, SignatureRequired,
  type Command, type PrinterSession, type Spool,
  type TrayPlace
} from '../../../core/index.js'
import { filamentById, findFilaments } from '../catalogue.js'
import { rgbaOf } from '../colors.js'
import { describeTray, NOTHING, settingAddress, type Description } from '../commands.js'
import { Confirmation, KEEP, NO_FILAMENT, Unit } from '../schemas.js'
import { isDual, placeOf, placeOfId, spoolAt, stateOf } from '../units.js'

const LONGEST = 64
const Text = Type.String({ maxLength: LONGEST, default: '' })

const LEFT_OUT = '°C; -1 keeps it; left out: of the catalogue for another filament'

/** Description of a slot's contents, as callers write it. */
export const Words = {
  filament_id: Type.String({ maxLength: LONGEST, default: '', description: `Catalogue id; ${NO_FILAMENT} clears the slot` }),
  filament_name: Text,
  filament_type: Text,
  color: Type.String({ maxLength: LONGEST, default: '', description: 'CSS name or RRGGBB; white when empty' }),
  nozzle_temp_min: Type.Optional(Type.Integer({ description: LEFT_OUT })),
  nozzle_temp_max: Type.Optional(Type.Integer({ description: LEFT_OUT }))
}

/** Ids of presets that people made in the vendor's slicer. */
const OWN_PRESET = /^P[0-9a-f]{7}$/i

/** @throws PRN_ERR_BAD_INPUT for an id that is neither in the catalogue nor of a preset, with the nearest one */
function checkCatalogueId (id: string): void {
  if (id === '' || id.toLowerCase() === NO_FILAMENT || OWN_PRESET.test(id) || filamentById(id) !== undefined) return
  const close = closestMatch(id, findFilaments('', '').map(({ tray_info_idx: known }) => known))
  throw new BadInput(`Unknown filament_id '${id}'${close === undefined ? '.' : `; did you mean '${close}'?`} ` +
    'The filament catalogue lists all; for a preset of your own set own_preset.')
}

interface Given {
  readonly filament_id: string
  readonly filament_name: string
  readonly filament_type: string
  readonly color: string
  readonly nozzle_temp_min?: number
  readonly nozzle_temp_max?: number
}

const HOTTEST_C = 500

/** @throws PRN_ERR_BAD_INPUT for a temperature beyond the printer's nozzles */
function checkTemperature (name: string, celsius: number | undefined, { model }: PrinterSession): void {
  const maximum = Math.min(model.nozzleMaxC, HOTTEST_C)
  if (celsius === undefined || celsius === KEEP || (celsius >= 0 && celsius <= maximum)) return
  throw new BadInput(`${name} must be 0 to ${maximum} °C, or -1 to keep it, got ${celsius}`)
}

/** Known temperatures of one kind; undefined or 0 if there is none. */
interface Known { readonly now: number | undefined, readonly usual: number | undefined }

/**
 * A printer would take -1 literally, so the slot's current temperature is sent instead. If another filament is being
 * set, the default is the catalogue's temperature, as that of the previous filament would be wrong.
 */
function temperature (celsius: number | undefined, isOther: boolean, { now = 0, usual = 0 }: Known): number {
  if (celsius !== undefined && celsius !== KEEP) return celsius
  const [first, second] = celsius === undefined && isOther ? [usual, now] : [now, usual]
  return first > 0 ? first : second
}

/** @throws PRN_ERR_BAD_INPUT */
function described (given: Given, spool: Spool | undefined, session: PrinterSession): Description {
  const { filament_id: id, color } = given
  checkTemperature('nozzle_temp_min', given.nozzle_temp_min, session)
  checkTemperature('nozzle_temp_max', given.nozzle_temp_max, session)
  const rgba = color === '' ? undefined : rgbaOf(color)
  if (color !== '' && rgba === undefined) throw new BadInput(`color must be a CSS colour name or RRGGBB, got "${color}"`)
  if (id.toLowerCase() === NO_FILAMENT) return NOTHING
  const known = filamentById(id)
  const isOther = id !== spool?.filamentId
  const minC = temperature(given.nozzle_temp_min, isOther, { now: spool?.nozzleMinC, usual: known?.nozzle_temp_min })
  const maxC = temperature(given.nozzle_temp_max, isOther, { now: spool?.nozzleMaxC, usual: known?.nozzle_temp_max })
  if (minC > maxC) throw new BadInput(`nozzle_temp_min ${minC} is above nozzle_temp_max ${maxC}`)
  const type = given.filament_type === '' ? known?.filament_type ?? '' : given.filament_type
  return { id, name: given.filament_name, type, rgba, minC, maxC }
}

/** Some firmware rejects an unsigned setting silently, and shows that only as a health message. */
async function tell (session: PrinterSession, command: Command) {
  const what = 'the filament setting'
  const outcome = await session.perform(what, command)
  if (!outcome.confirmed && session.state?.device.developerMode === 'off') {
    throw new SignatureRequired(session.name, what)
  }
  return outcome
}

async function describe (session: PrinterSession, place: TrayPlace, given: Given) {
  const dual = isDual(session)
  const spool = spoolAt(stateOf(session), place, dual)
  const address = settingAddress(place, isHolder(place.amsId), dual)
  return await tell(session, describeTray(address, described(given, spool, session)))
}

const spec = {
  effect: 'write',
  consequence: 'All stored settings of the slot are overwritten at once.',
  output: Confirmation,
  guards: [requireCurrentState] // omitted values are sent as the printer reports them
} as const

/** By the tray's number, counted over all units. */
export const describeById = operation({
  ...spec,
  name: 'filament.describeTray',
  summary: 'Set the filament of a tray',
  input: Type.Object({ tray_id: Type.Integer(), ...Words }),
  run: ({ session }, { tray_id: trayId, ...given }) => {
    stateOf(session)
    return describe(session, placeOfId(session, trayId), given)
  }
})

/** By unit and slot. */
export const describeSlot = operation({
  ...spec,
  name: 'filament.describeSlot',
  summary: 'Say which filament is in a slot; pass all fields, they are sent in one command',
  input: Type.Object({
    ...Unit,
    slot: Type.Integer(),
    ...Words,
    own_preset: Type.Optional(Type.Boolean({ description: 'filament_id is of a preset that is not in the catalogue' }))
  }),
  run: ({ session }, { slot, ams_id: id, unit_id: position, own_preset: isOwn = false, ...given }) => {
    if (!isOwn) checkCatalogueId(given.filament_id)
    const name = position === undefined ? { ams_id: id ?? 0 } : { unit_id: position }
    return describe(session, placeOf(session, name, slot), given)
  }
})
