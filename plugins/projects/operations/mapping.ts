import { Type } from 'typebox'
import { isServiceError, operation, type PrinterContext } from '../../../core/index.js'
import { ProjectUnreadable } from '../errors.js'
import { preview, type Wanted } from '../mapping/plan.js'
import { FilePath, pathOf, PlateNumber } from './read.js'

/** What is known of a plate that shall be printed; a project that cannot be read is part of the answer. */
export async function wantedPlate ({ services, session, signal }: PrinterContext, file: string, plateNumber: number):
Promise<Wanted> {
  const path = pathOf(file)
  try {
    const plate = await services.projects.open(session, path, async project =>
      project.plates.includes(plateNumber) ? await project.plate(plateNumber) : undefined, signal)
    return { path, plateNumber, plate }
  } catch (error) {
    if (!(error instanceof ProjectUnreadable)) throw error
    return { path, plateNumber, plate: undefined, unreadable: detailOf(error) }
  }
}

const detailOf = (error: Error): string =>
  isServiceError(error) && typeof error.extra.detail === 'string' ? error.extra.detail : error.message

const Filaments = Type.Array(Type.Object({ id: Type.Integer(), type: Type.String(), color: Type.String() }))

export const previewMapping = operation({
  name: 'projects.previewMapping',
  summary: 'Which loaded spools a plate would draw from; `error`: why it would be refused',
  effect: 'read',
  input: Type.Object({ file: FilePath, plate: Type.Optional(PlateNumber) }),
  output: Type.Object({
    file_path: Type.String(),
    plate_num: Type.Integer(),
    filaments: Filaments,
    resolved_ams_mapping: Type.Array(Type.Integer(), { description: 'Tray by filament id - 1; -1 unused' }),
    ams_mapping_json: Type.String(),
    matches: Type.Array(Type.Object({}, { additionalProperties: true })),
    unmatched: Filaments,
    loaded_spools: Type.Array(Type.Object({ tray_id: Type.Integer(), type: Type.String(), color: Type.String() })),
    external_spools: Type.Array(Type.Object({ slot_id: Type.Integer(), type: Type.String(), color: Type.String() })),
    error: Type.Optional(Type.String())
  }),
  run: async (context, { file, plate = 1 }) => preview(await wantedPlate(context, file, plate), context.session)
})
