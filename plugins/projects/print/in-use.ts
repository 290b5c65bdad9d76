import { isActive, isStarting, jobNameKey, type PrinterSession } from '../../../core/index.js'
import { holds, type Protection } from '../../files/index.js'
import { jobNames, pathsOf, toldPaths } from '../job.js'

/** Where printers keep what slicers and the cloud send them. */
const CACHE = '/cache'

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Where the file of a job lies, when the printer told; else every file of its name may be it. */
function isOfJob (session: PrinterSession, path: string): boolean {
  const told = toldPaths(session)
  const names = jobNames(session)
  return told.length > 0
    ? told.some(file => holds(path, file))
    : names.some(name => jobNameKey(name) === jobNameKey(nameOf(path))) || names.some(name => holds(path, `${CACHE}/${name}`))
}

/** The file of a job that was taken, but is not reported yet. */
const isOfStart = ({ context: { projectFile } }: PrinterSession, path: string): boolean =>
  projectFile !== undefined && pathsOf(projectFile.url).some(file => holds(path, file))

/** Printers read the file of a job while they print it. */
export const protectJob = (now: () => number): Protection => (session, path) => {
  const { state, context: memory, name } = session
  const printed = (isStarting(memory, now()) && isOfStart(session, path)) ||
    (isActive(state?.job.gcodeState ?? '') && isOfJob(session, path))
  return printed ? `'${name}' is printing it: wait until the job has ended, or cancel it` : undefined
}
