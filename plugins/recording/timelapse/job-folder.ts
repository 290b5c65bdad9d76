import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { privateFolder, readOwnText, toSafeFileName, validationError, writeJson } from '../../../core/index.js'
import { openPictureFolder, type PictureFolder } from '../picture-folder.js'
import { RecordingSchema } from '../schemas.js'

const DESCRIPTION = 'job.json'

const JobSchema = Type.Object({
  recording: RecordingSchema,
  key: Type.String({ description: 'Of the job' }),
  step: Type.Integer({ minimum: 1, description: 'Only every step-th possible picture is taken' }),
  layer: Type.Optional(Type.Integer({ description: 'Of the last picture' })),
  start: Type.Optional(Type.String({ description: 'When the job began, as the printer reports it' }))
})
/** Metadata in the folder of a job. */
export type JobDescription = Static<typeof JobSchema>

/** The pictures of one job so far. */
export interface JobFolder {
  readonly path: string
  readonly description: JobDescription
  readonly pictures: PictureFolder
  /** @param layer at which the picture was taken */
  add (jpeg: Buffer, layer: number): Promise<void>
}

async function open (path: string, initial: JobDescription): Promise<JobFolder> {
  let description = initial
  const pictures = await openPictureFolder(path, { step: initial.step })
  return {
    path,
    get description () { return description },
    pictures,
    async add (jpeg, layer) {
      await pictures.add(jpeg)
      if (pictures.step === description.step && layer === description.layer) return
      description = { ...description, step: pictures.step, layer }
      await writeJson(join(path, DESCRIPTION), description)
    }
  }
}

/** @returns undefined for a folder without valid metadata */
async function describe (path: string): Promise<JobDescription | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnText(join(path, DESCRIPTION)) ?? '')
    return validationError(JobSchema, value) === undefined ? value as JobDescription : undefined
  } catch {
    return undefined
  }
}

/** Opens the folder of a job; one without valid metadata is removed. */
async function reopen (path: string): Promise<JobFolder | undefined> {
  const description = await describe(path)
  if (description !== undefined) return await open(path, description)
  await rm(path, { recursive: true, force: true })
  return undefined
}

/** Folders of jobs: `PRINTER/JOB` while running, `ended/ID` until encoded. */
export interface JobFolders {
  begin (description: JobDescription): Promise<JobFolder>
  /** Folders of running jobs, also from an earlier run. */
  unfinished (printer: string): Promise<readonly JobFolder[]>
  /** Those of all printers. */
  allUnfinished (): Promise<readonly JobFolder[]>
  /** Moves a folder to those waiting for encoding. */
  end (folder: JobFolder): Promise<JobFolder>
  /** Folders waiting for encoding. */
  ended (): Promise<readonly JobFolder[]>
  /** Removes a folder waiting for encoding, if it exists. */
  remove (id: string): Promise<void>
}

const subfolders = async (path: string): Promise<string[]> =>
  (await readdir(path, { withFileTypes: true }).catch(() => []))
    .filter(entry => entry.isDirectory()).map(({ name }) => join(path, name))

const reopenAll = async (paths: readonly string[]): Promise<readonly JobFolder[]> =>
  (await Promise.all(paths.map(reopen))).filter(folder => folder !== undefined)

/** @param folder of all recordings */
export async function openJobFolders (folder: string): Promise<JobFolders> {
  const running = await privateFolder(folder, 'timelapse')
  const ended = await privateFolder(folder, 'timelapse_ended')
  const ofPrinter = (printer: string) => join(running, toSafeFileName(printer))

  return {
    async begin (description) {
      const path = await privateFolder(ofPrinter(description.recording.printer), description.key)
      await writeJson(join(path, DESCRIPTION), description)
      return await open(path, description)
    },
    unfinished: async printer => await reopenAll(await subfolders(ofPrinter(printer))),
    allUnfinished: async () =>
      await reopenAll((await Promise.all((await subfolders(running)).map(subfolders))).flat()),
    async end ({ path, description }) {
      const aside = join(ended, description.recording.id)
      await mkdir(ended, { recursive: true })
      await rename(path, aside)
      return await open(aside, description)
    },
    ended: async () => await reopenAll(await subfolders(ended)),
    remove: async id => await rm(join(ended, id), { recursive: true, force: true })
  }
}
