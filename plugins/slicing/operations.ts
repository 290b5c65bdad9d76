import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { mayUse, NotFound, operation, type DaemonContext } from '../../core/index.js'
import { plainName } from '../files/index.js'
import {
  NoImportedProfile, NoSlicedLibrary, NoSlicer, NoSlicingJob, NoSlicingModel, StartCodeNotAccepted, TooManySlicingJobs,
  WrongSlicer
} from './errors.js'
import { misfit } from './imported/profile-facts.js'
import { importedProfileView } from './imported/profile-operations.js'
import type { StoredJob } from './jobs.js'
import type { StoredModel } from './model-store.js'
import { BadModel, DoesNotFit, ModelsBusy, ModelTooLarge } from './models/index.js'
import { MATERIALS, QUALITIES } from './own-profiles/materials.data.js'
import { WHAT_IT_DOES } from './own-profiles/start-code.js'
import {
  ImportedProfileView, ModelView, Parts, PlacementView, PlateOrder, SlicerView, SlicingJobView,
  type OrderedPart
} from './schemas.js'
import { takenAreas } from './make-plate.js'

const JobId = Type.String({ minLength: 1, maxLength: 40 })

export const modelView = (
  { id, name, size, addedAt, report: { format, unit, parts, problems } }: StoredModel
): ModelView => ({
  id,
  name,
  size,
  format,
  unit,
  added_at: addedAt,
  parts: parts.map(({ index, name, triangles, sizeMm, volumeMm3, isClosed, problems }) => ({
    index,
    name,
    triangles,
    size_mm: [...sizeMm],
    volume_cm3: Math.round(volumeMm3 / 10) / 100,
    is_closed: isClosed,
    problems: problems.map(problem => ({ ...problem }))
  })),
  problems: problems.map(problem => ({ ...problem }))
})

/** A job that the caller may know of. @throws PRN_ERR_NO_SLICING_JOB */
function jobOf ({ services: { slicing }, sees }: Pick<DaemonContext, 'services' | 'sees'>, id: string): StoredJob {
  const job = slicing.jobs.find(id)
  if (!sees(job.printer)) throw new NoSlicingJob(id)
  return job
}

const jobView = ({ order: _, attempts: __, ...view }: StoredJob): SlicingJobView => view

export const listModels = operation({
  name: 'slicing.listModels',
  summary: 'Uploaded models, newest first, with what is wrong with each',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ models: Type.Array(ModelView) }),
  run: ({ services: { slicing } }) => ({ models: slicing.models.list().map(modelView) })
})

export const deleteModel = operation({
  name: 'slicing.deleteModel',
  summary: 'Delete an uploaded model',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'The model is deleted from this host for good; plates that were sliced from it stay.',
  input: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoSlicingModel],
  async run ({ services: { slicing } }, { id }) {
    await slicing.models.remove(id)
    return { id }
  }
})

export const readProfiles = operation({
  name: 'slicing.readProfiles',
  summary: 'Slicers of this host, materials and qualities, and whether the built-in profiles may be used for the printer',
  effect: 'read',
  runsHere: true,
  input: Type.Object({}),
  output: Type.Object({
    slicers: Type.Array(SlicerView),
    bed_mm: Type.Array(Type.Number(), { description: 'x, y, z' }),
    excluded: PlacementView.properties.excluded,
    materials: Type.Array(Type.Object({
      name: Type.String(),
      nozzle_c: Type.Integer(),
      bed_c: Type.Integer(),
      fits: Type.Boolean({ description: 'The printer reaches its temperatures' }),
      needs_enclosure: Type.Boolean()
    })),
    qualities: Type.Array(Type.Object({
      name: Type.String(), layer_mm: Type.Number(), walls: Type.Integer(), infill: Type.Integer()
    })),
    imported: Type.Array(Type.Object({
      ...ImportedProfileView.properties,
      problem: Type.String({ description: 'Why it does not suit the printer; empty if it does' })
    }), { description: 'Brought by people, with the start code of whoever made them' }),
    start_code: Type.Object({
      does: Type.String({ description: 'What the built-in start and end code do, and what was tried' }),
      is_accepted: Type.Boolean({ description: 'A person accepted it for this printer' }),
      by: Type.String({ description: 'Who; empty: nobody' })
    })
  }),
  async run ({ services: { slicing, filaments }, session }) {
    const { model } = session
    const accepted = slicing.acceptedBy(session)
    const nozzleMm = slicing.nozzleOf(session)
    return {
      slicers: (await slicing.slicers()).map(({ slicer: { name, title }, found }) =>
        ({ name, title, version: found?.version ?? null, place: found?.place ?? null })),
      bed_mm: [...model.bedMm],
      excluded: [...takenAreas(model)],
      materials: MATERIALS.flatMap(({ name, catalogueId, needsEnclosure }) => {
        const filament = filaments.byId(catalogueId)
        return filament === undefined
          ? []
          : [{
              name,
              nozzle_c: Math.min(filament.nozzle_temperature, model.nozzleMaxC),
              bed_c: Math.min(filament.hot_plate_temp, model.bedMaxC),
              fits: filament.nozzle_temperature_range_low <= model.nozzleMaxC,
              needs_enclosure: needsEnclosure
            }]
      }),
      qualities: QUALITIES.map(({ name, layer, walls, infillPct }) =>
        ({ name, layer_mm: Math.round(layer * nozzleMm * 100) / 100, walls, infill: infillPct })),
      imported: slicing.imports.list().map(one =>
        ({ ...importedProfileView(one), problem: misfit(one.facts, { model, nozzleMm }) ?? '' })),
      start_code: { does: WHAT_IT_DOES, is_accepted: accepted !== undefined, by: accepted?.by ?? '' }
    }
  }
})

export const acceptStartCode = operation({
  name: 'slicing.acceptStartCode',
  summary: 'Allow or forbid the start code of the built-in profiles on a printer',
  effect: 'write',
  runsHere: true,
  consequence: 'Plates with the built-in start code may be printed here. ' + WHAT_IT_DOES + '.',
  input: Type.Object({ accepted: Type.Boolean() }),
  output: Type.Object({ is_accepted: Type.Boolean() }),
  async run ({ services: { slicing }, session, askedBy }, { accepted }) {
    await slicing.accept(session, accepted, askedBy)
    return { is_accepted: accepted }
  }
})

const PLACE_ERRORS = [BadModel, ModelTooLarge, DoesNotFit, ModelsBusy, NoSlicingModel]

type Context = Pick<DaemonContext, 'kernel' | 'services' | 'caller' | 'askedBy' | 'signal'>

/**
 * A model that is only among the uploaded files of the service is read as one that was uploaded here. Who may only look
 * stores nothing.
 */
async function withUploads <T extends { readonly parts: readonly OrderedPart[] }> (
  context: Context, order: T
): Promise<T> {
  const { kernel, services: { slicing: { models }, files }, caller, askedBy, signal } = context
  if (!mayUse(kernel, startSlicing, caller)) return order
  for (const { model } of order.parts) {
    if (models.has(model) || plainName(model) !== model) continue
    const path = await files.hostFiles(caller).stored(model).catch(() => undefined)
    if (path !== undefined) await models.add(createReadStream(path), model, askedBy, signal)
  }
  return order
}

export const arrangeModels = operation({
  name: 'slicing.arrange',
  summary: 'Where uploaded models would lie on the bed of a printer, with a picture',
  effect: 'read',
  runsHere: true,
  input: Type.Object({
    parts: Parts,
    color: Type.Optional(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' })),
    view: Type.Optional(Type.Unsafe<'plate' | 'top'>({ type: 'string', enum: ['plate', 'top'], default: 'plate' }))
  }),
  output: Type.Object({ ...PlacementView.properties, png: Type.Unsafe<Buffer>({}) }),
  errors: PLACE_ERRORS,
  async run (context, { color, view = 'plate', ...given }) {
    const { services: { slicing }, session, signal } = context
    const { parts } = await withUploads(context, given)
    return await slicing.arrange(session, parts, { color, signal }, async ({ instances, problems, pictures }) => ({
      bed_mm: [...session.model.bedMm],
      excluded: [...takenAreas(session.model)],
      instances: instances.map(({ id, name, part, isTurned, box, heightMm }) =>
        ({ id, name, part, is_turned: isTurned, box: [...box], height_mm: heightMm })),
      problems: problems.map(problem => ({ ...problem })),
      png: await readFile(pictures[view])
    }))
  }
})

const START_ERRORS = [
  ...PLACE_ERRORS, NoImportedProfile, NoSlicedLibrary, NoSlicer, StartCodeNotAccepted, TooManySlicingJobs, WrongSlicer
]

export const startSlicing = operation({
  name: 'slicing.start',
  summary: 'Slice uploaded models for a printer; the plate goes to the library of sliced files',
  effect: 'local',
  record: true,
  runsHere: true,
  note: ({ parts }) => `${parts.length} model${parts.length === 1 ? '' : 's'}`,
  input: PlateOrder,
  output: SlicingJobView,
  errors: START_ERRORS,
  async run (context, order) {
    const { services: { slicing }, session, askedBy } = context
    return jobView(await slicing.start(session, await withUploads(context, order), askedBy))
  }
})

export const listJobs = operation({
  name: 'slicing.listJobs',
  summary: 'Plates that wait, are sliced, or were sliced, newest first',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ jobs: Type.Array(SlicingJobView) }),
  run: ({ services: { slicing: { jobs } }, sees }) =>
    ({ jobs: jobs.list().filter(({ printer }) => sees(printer)).map(jobView) })
})

export const readJob = operation({
  name: 'slicing.readJob',
  summary: 'How far a plate is sliced, and what came of it',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ id: JobId }),
  output: SlicingJobView,
  errors: [NoSlicingJob],
  run: (context, { id }) => jobView(jobOf(context, id))
})

export const cancelSlicing = operation({
  name: 'slicing.cancel',
  summary: 'Stop slicing a plate, or take it out of the row',
  effect: 'local',
  scope: 'daemon',
  record: true,
  input: Type.Object({ id: JobId }),
  output: SlicingJobView,
  errors: [NoSlicingJob],
  run: async (context, { id }) => jobView(await context.services.slicing.jobs.cancel(jobOf(context, id).id))
})

/** For callers who wait, such as agents. */
export const sliceModels = operation({
  name: 'slicing.slice',
  summary: 'Slice uploaded models for a printer, and wait for the plate',
  effect: 'local',
  record: true,
  runsHere: true,
  input: PlateOrder,
  output: Type.Object({ ...SlicingJobView.properties, png: Type.Unsafe<Buffer>({}) }),
  errors: START_ERRORS,
  async run (context, order) {
    const { services: { slicing }, optional: { queue }, session, askedBy, signal, progress } = context
    const { id } = await slicing.start(session, await withUploads(context, order), askedBy)
    const job = await slicing.jobs.ended(id, signal, ({ percent, step }) => progress(percent, 100, step))
    const png = job.result === null ? undefined : await queue?.library.picture(job.result.file, 1)
    if (png === undefined && job.state === 'done') throw new NotFound('The plate has no picture')
    return { ...jobView(job), png: png ?? Buffer.alloc(0) }
  }
})
