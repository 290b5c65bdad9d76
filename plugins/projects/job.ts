import { isActive, isStartOf, isStartPending, jobNameKey, type PrinterSession } from '../../core/index.js'
import { holds, type CardEntry, type FilesService, type Protection } from '../files/index.js'
import type { ProjectReader, OpenProject } from './project-reader.js'
import type { ImageKind } from './read/project.js'
import type { PrintSettings } from './read/print-settings.js'
import type { ProjectRecord } from './project-document.js'
import { drawLayout } from './viewer/layout.js'

/** Mount points that printers use for the card; paths on the card follow them. */
const MOUNTS = /^\/(?:mnt\/sdcard|sdcard|media\/usb0)(?=\/)/
const SCHEME = /^(?:ftp|file):\/\//

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Paths on the card that the URL of a command may mean: as written, and percent-decoded. */
export function pathsOf (url: string): string[] {
  if (!SCHEME.test(url)) return []
  const path = `/${url.replace(SCHEME, '').replace(/^\/*/, '/').replace(MOUNTS, '').replace(/^\/+/, '')}`
  return [...new Set([path, decoded(path)])]
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const byName = (name: string): string[] => [`${name}.3mf`, `${name}.gcode.3mf`]

/** Paths of the file in the command that started the job. */
export const announcedPaths = ({ state, context: { projectFile } }: PrinterSession): string[] =>
  state && isStartOf(projectFile, state.job) ? pathsOf(projectFile.url) : []

/** Possible names of the job's file. */
export function jobNames ({ state }: PrinterSession): string[] {
  const { subtaskName = '', gcodeFile = '' } = state?.job ?? {}
  const named = subtaskName === '' ? [] : byName(subtaskName)
  const shown = /\.3mf$/i.test(gcodeFile) ? [nameOf(gcodeFile)] : []
  return [...named, ...shown]
}

function usualPaths (session: PrinterSession): string[] {
  const names = jobNames(session)
  return [...announcedPaths(session), ...names.map(name => `/cache/${name}`), ...names.map(name => `/${name}`)]
}

function pickFrom (entries: readonly CardEntry[], session: PrinterSession): CardEntry | undefined {
  const files = new Map(entries.filter(({ isFolder }) => !isFolder).map(entry => [entry.path, entry]))
  const usual = usualPaths(session).map(path => files.get(path)).find(entry => entry !== undefined)
  if (usual) return usual
  const wanted = byName(session.state?.job.subtaskName ?? '').reverse()
  const named = (spelling: (name: string) => string) => wanted
    .map(name => [...files.values()].find(entry => spelling(entry.name) === spelling(name)))
    .find(entry => entry !== undefined)
  return named(name => name) ?? named(jobNameKey)
}

export interface Search {
  readonly signal?: AbortSignal
  /** False: the card is listed again only when there is a file at one of the usual paths. @default true */
  readonly thorough?: boolean
}

async function isThere (files: FilesService, session: PrinterSession, options: Omit<Search, 'thorough'>):
Promise<boolean> {
  for (const path of new Set(usualPaths(session))) if (await files.has(session, path, options)) return true
  return false
}

/** The file of the printer's current or last job; undefined when no file on the card matches. */
export async function jobFile (files: FilesService, session: PrinterSession, { signal, thorough = true }: Search):
Promise<CardEntry | undefined> {
  if ((session.state?.job.subtaskName ?? '') === '' && announcedPaths(session).length === 0) return undefined
  const options = signal ? { signal } : {}
  const known = pickFrom(await files.list(session, options), session)
  if (known || !(thorough || await isThere(files, session, options))) return known
  return pickFrom(await files.list(session, { ...options, refresh: true }), session)
}

async function readIn<T> (reader: ProjectReader, files: FilesService, session: PrinterSession, search: Search,
  reading: (project: OpenProject, plate: number) => Promise<T>): Promise<T | undefined> {
  const entry = await jobFile(files, session, search)
  if (!entry) return undefined
  return await reader.read(session, entry,
    project => reading(project, project.nearest(session.state?.job.plate ?? -1)),
    search.signal ? { signal: search.signal } : {})
}

/** Reads the project of the current or last job; undefined when it cannot be found. */
export const readJob = (reader: ProjectReader, files: FilesService, session: PrinterSession, withImages: boolean,
  signal?: AbortSignal): Promise<ProjectRecord | undefined> =>
  readIn(reader, files, session, signal ? { signal } : {}, (project, plate) => project.record(plate, withImages))

/** The project of a job, and the pictures of its plate. */
export interface JobReading {
  readonly info: ProjectRecord
  readonly print: PrintSettings
  /** The slicer's pictures, as PNG. */
  readonly images: Readonly<Record<ImageKind, Buffer | undefined>>
  /** PNG from above with the objects marked; undefined when the plate has no such picture or no objects. */
  readonly layout: () => Promise<Buffer | undefined>
}

/** Reads the job's project with its pictures; the layout is drawn later on request, without the card. */
export const readJobPlate = (reader: ProjectReader, files: FilesService, session: PrinterSession, thorough: boolean):
Promise<JobReading | undefined> =>
  readIn(reader, files, session, { signal: session.signal, thorough }, async (project, number) => {
    const info = await project.record(number, true)
    const { boxes, bedMm, print } = await project.plate(number)
    const images = { thumbnail: await project.image(number, 'thumbnail'), topimg: await project.image(number, 'topimg') }
    const top = images.topimg
    let drawn: Promise<Buffer | undefined> | undefined
    const draw = async () => top && boxes.length > 0
      ? await drawLayout(top, boxes, bedMm ?? session.model.bedMm).catch(() => undefined)
      : undefined
    return { info, print, images, layout: () => (drawn ??= draw()) }
  })

export const hasJob = ({ state }: PrinterSession): boolean => state !== undefined && isActive(state.job.gcodeState)

/** Folder in which printers store files from slicers and the cloud. */
const CACHE = '/cache'

/** Whether a path is the job's file: the announced path if there was one, else any file of its name. */
function isOfJob (session: PrinterSession, path: string): boolean {
  const announced = announcedPaths(session)
  const names = jobNames(session)
  return announced.length > 0
    ? announced.some(file => holds(path, file))
    : names.some(name => jobNameKey(name) === jobNameKey(nameOf(path))) || names.some(name => holds(path, `${CACHE}/${name}`))
}

/** Whether a path is the file of an accepted start that is not reported yet. */
const isOfStart = ({ context: { projectFile } }: PrinterSession, path: string): boolean =>
  projectFile !== undefined && pathsOf(projectFile.url).some(file => holds(path, file))

/** Printers read the file of a job while they print it. */
export const protectJob = (now: () => number): Protection => (session, path) => {
  const { state, context, name } = session
  const printed = (isStartPending(context.start, now()) && isOfStart(session, path)) ||
    (isActive(state?.job.gcodeState ?? '') && isOfJob(session, path))
  return printed ? `'${name}' is printing it: wait until the job has ended, or cancel it` : undefined
}
