import { Type } from 'typebox'
import { isServiceError, operation, type ServiceError } from '../../../core/index.js'
import { NO_FILE, type OpenProject } from '../project-reader.js'
import { CARD_ERRORS } from '../../files/index.js'
import { NoActiveJob, NoJobProject, NoPlateImage, NoProjectFile, ProjectUnreadable } from '../errors.js'
import { qualityOf, toJpeg } from '../images.js'
import { hasJob, readJob } from '../job.js'
import type { ImageKind } from '../read/project.js'
import { Record } from '../schemas.js'

export const FilePath = Type.String({ minLength: 1, maxLength: 1024, description: 'Full path of a .3mf on the card' })
export const PlateNumber = Type.Integer({ minimum: 1, default: 1 })

/** Paths begin with a slash, whether the caller wrote it or not. */
export const pathOf = (text: string): string => text.startsWith('/') ? text : `/${text}`

const recordOf = (plate: number, images: boolean) => (project: OpenProject) =>
  project.record(project.nearest(plate), images)

export const readInfo = operation({
  name: 'projects.readInfo',
  summary: 'Project info of one plate; the first if missing',
  effect: 'read',
  input: Type.Object({
    file: FilePath,
    plate: Type.Optional(PlateNumber),
    images: Type.Optional(Type.Boolean({ default: false }))
  }),
  output: Record,
  errors: [ProjectUnreadable, ...CARD_ERRORS],
  run: async ({ services, session, signal }, { file, plate = 1, images = false }) =>
    await services.projects.open(session, pathOf(file), recordOf(plate, images), signal)
})

const detailOf = ({ extra }: ServiceError): string => String(extra.detail ?? '')

/** The file is on the card but is not a project. */
const isThere = (error: ServiceError): boolean => detailOf(error) !== NO_FILE

export const readProps = operation({
  name: 'projects.readProps',
  summary: 'Project info of one plate with its pictures; a missing plate yields the first one',
  effect: 'read',
  input: Type.Object({ file: FilePath, plate: Type.Optional(PlateNumber) }),
  output: Record,
  errors: [NoProjectFile, ...CARD_ERRORS],
  async run ({ services, session, signal }, { file, plate = 1 }) {
    try {
      return await services.projects.open(session, pathOf(file), recordOf(plate, true), signal)
    } catch (error) {
      if (!(error instanceof ProjectUnreadable)) throw error
      const message = isThere(error) ? `'${pathOf(file)}' cannot be read as a project: ${detailOf(error)}` : 'No file found'
      throw new NoProjectFile().with({ ...error.extra, reason: message, message, file })
    }
  }
})

export const readAll = operation({
  name: 'projects.readAll',
  summary: 'Project info of every plate, in order',
  effect: 'read',
  input: Type.Object({ file: FilePath, images: Type.Optional(Type.Boolean({ default: false })) }),
  output: Type.Array(Record),
  errors: [ProjectUnreadable, ...CARD_ERRORS],
  run: async ({ services, session, signal }, { file, images = false }) =>
    await services.projects.open(session, pathOf(file), async project => {
      const records = []
      for (const plate of project.plates) records.push(await project.record(plate, images))
      return records
    }, signal)
})

const IMAGE_NAMES: Readonly<Record<ImageKind, string>> = { thumbnail: 'picture', topimg: 'view from above' }

const imageOperation = (kind: ImageKind, name: string) => operation({
  name,
  summary: `JPEG ${IMAGE_NAMES[kind]} of a plate; the first if missing`,
  effect: 'read',
  input: Type.Object({
    file: FilePath,
    plate: Type.Optional(PlateNumber),
    quality: Type.Optional(Type.String({ default: 'standard', description: 'preview, standard, full' }))
  }),
  output: Type.Object({
    jpeg: Type.Unsafe<Buffer>({}),
    plate: Type.Integer(),
    quality: Type.String(),
    width: Type.Integer(),
    height: Type.Integer()
  }),
  errors: [ProjectUnreadable, NoPlateImage, ...CARD_ERRORS],
  async run ({ services, session, signal }, { file, plate = 1, quality: wanted }) {
    const quality = qualityOf(wanted)
    const png = await services.projects.open(session, pathOf(file),
      project => project.image(project.nearest(plate), kind), signal)
    const jpeg = png && await toJpeg(png, quality)
    if (!jpeg) throw new NoPlateImage(kind, plate)
    return { jpeg: jpeg.bytes, plate, quality, width: jpeg.width, height: jpeg.height }
  }
})

export const readThumbnail = imageOperation('thumbnail', 'projects.readThumbnail')
export const readTopView = imageOperation('topimg', 'projects.readTopView')

export const readJobProps = operation({
  name: 'projects.readJobProps',
  summary: 'Project info of the running job, with pictures',
  effect: 'read',
  input: Type.Object({}),
  output: Record,
  errors: [NoJobProject, ...CARD_ERRORS],
  async run ({ services, session, signal }) {
    const { reader } = services.projects
    const found = hasJob(session)
      ? await readJob(reader, services.files, session, true, signal).catch(rethrowCardErrors)
      : undefined
    const { message } = new NoJobProject()
    if (!found) throw new NoJobProject().with({ message })
    return found
  }
})

export const readJobInfo = operation({
  name: 'projects.readJobInfo',
  summary: 'Project info of the running job',
  effect: 'read',
  input: Type.Object({ images: Type.Optional(Type.Boolean({ default: false })) }),
  output: Record,
  errors: [NoActiveJob, ...CARD_ERRORS],
  async run ({ services, session, signal }, { images = false }) {
    const { reader } = services.projects
    if (!hasJob(session)) throw noActiveJob('No job is in progress.')
    const found = await readJob(reader, services.files, session, images, signal).catch(rethrowCardErrors)
    if (!found) throw noActiveJob('A job runs, but its project is not on the card or cannot be read.')
    return found
  }
})

const noActiveJob = (note: string) => new NoActiveJob().with({ gcode_state: '', note })

/** A missing or broken file means that the project is unknown; errors of the card are rethrown. */
function rethrowCardErrors (error: unknown): undefined {
  if (!isServiceError(error) || error.statusCode >= 500) throw error
}
