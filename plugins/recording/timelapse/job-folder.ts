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
  step: Type.Integer({ minimum: 1, description: 'Of the pictures that could be taken, every so manieth is' })
})
/** What the folder of a job says of it. */
export type JobDescription = Static<typeof JobSchema>

/** The pictures of one job, as far as it has come. */
export interface JobFolder {
  readonly path: string
  readonly description: JobDescription
  readonly pictures: PictureFolder
  /** Adds a picture. */
  add (jpeg: Buffer): Promise<void>
}

async function open (path: string, initial: JobDescription): Promise<JobFolder> {
  let description = initial
  const pictures = await openPictureFolder(path, { step: initial.step })
  return {
    path,
    get description () { return description },
    pictures,
    async add (jpeg) {
      await pictures.add(jpeg)
      if (pictures.step === description.step) return
      description = { ...description, step: pictures.step }
      await writeJson(join(path, DESCRIPTION), description)
    }
  }
}

/** @returns undefined for a folder that does not say what it is */
async function describe (path: string): Promise<JobDescription | undefined> {
  try {
    const value: unknown = JSON.parse(await readOwnText(join(path, DESCRIPTION)) ?? '')
    return validationError(JobSchema, value) === undefined ? value as JobDescription : undefined
  } catch {
    return undefined
  }
}

/** Opens the folder of a job; one that does not say what it is goes. */
async function reopen (path: string): Promise<JobFolder | undefined> {
  const description = await describe(path)
  if (description !== undefined) return await open(path, description)
  await rm(path, { recursive: true, force: true })
  return undefined
}

/** Folders of jobs: `PRINTER/JOB` while they go on, `ended/ID` until they are encoded. */
export interface JobFolders {
  begin (description: JobDescription): Promise<JobFolder>
  /** That an earlier run left open. */
  unfinished (printer: string): Promise<readonly JobFolder[]>
  /** Those of all printers. */
  allUnfinished (): Promise<readonly JobFolder[]>
  /** Puts a folder aside for encoding. */
  end (folder: JobFolder): Promise<JobFolder>
  /** That are not encoded yet. */
  ended (): Promise<readonly JobFolder[]>
  /** Removes one that was put aside, if it is there. */
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
