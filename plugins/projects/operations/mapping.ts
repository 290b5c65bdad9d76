import { Type } from 'typebox'
import { isServiceError, operation, type PrinterContext } from '../../../core/index.js'
import { CARD_ERRORS } from '../../files/index.js'
import { ProjectUnreadable } from '../errors.js'
import { resolveFilamentSource, type RequestedPlate } from '../mapping/filament-source.js'
import { sourceRecord } from '../mapping/record.js'
import { PLATE_TYPES } from '../print/project-file.js'
import { Preview } from '../schemas.js'
import { FilePath, pathOf, PlateNumber } from './read.js'

/**
 * Reads the plate that is to be printed; an unreadable project is part of the result. A cached project is used only if
 * the card still has the same file.
 */
export async function requestedPlate ({ services, session, signal }: Reader, file: string, plateNumber: number):
Promise<RequestedPlate> {
  const path = pathOf(file)
  try {
    const plate = await services.projects.reader.openCurrent(session, path, async project =>
      project.plates.includes(plateNumber) ? await project.plate(plateNumber) : undefined, signal)
    return { path, plateNumber, plate }
  } catch (error) {
    if (!(error instanceof ProjectUnreadable)) throw error
    return { path, plateNumber, plate: undefined, unreadable: detailOf(error) }
  }
}

type Reader = Pick<PrinterContext, 'services' | 'session' | 'signal'>

const detailOf = (error: Error): string =>
  isServiceError(error) && typeof error.extra.detail === 'string' ? error.extra.detail : error.message

export const previewMapping = operation({
  name: 'projects.previewMapping',
  summary: 'Which spools a plate would draw from, `warnings`, and `error` if it would be refused',
  effect: 'read',
  input: Type.Object({
    file: FilePath,
    plate: Type.Optional(PlateNumber),
    mapping: Type.Optional(Type.Array(Type.Integer())),
    useAms: Type.Optional(Type.Boolean({ default: true })),
    plateType: Type.Optional(Type.Enum(PLATE_TYPES))
  }),
  output: Preview,
  errors: CARD_ERRORS,
  async run (context, { file, plate = 1, mapping, useAms = true, plateType }) {
    const request = await requestedPlate(context, file, plate)
    const wanted = { mapping, useAms, plateType, acceptMismatch: false }
    const source = await resolveFilamentSource(request, context.session, wanted, context.services.projects)
    return { ...sourceRecord(request, source), ...(source.refusal && { error: source.refusal.message }) }
  }
})
