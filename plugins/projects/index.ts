import { tmpdir } from 'node:os'
import {
  definePlugin, openBrowser, type Job, type OpenBrowser, type Plugin, type PrinterSession
} from '../../core/index.js'
import { createProjectReader, type ProjectReader } from './project-reader.js'
import { createJobWatch, type JobProject } from './job-watch.js'
import { STORE_BYTES } from './limits.js'
import type { printFile } from './operations/print.js'
import { readJobPlate, protectJob } from './job.js'
import type { PrintSettings } from './read/print-settings.js'
import type { ImageKind } from './read/project.js'
import type { PlateType } from './print/command.js'
import { platePicture } from './resource.js'
import routes from './routes.js'
import { checkPrintable, judgeUpload } from './printable.js'
import { createProjectStore } from './disk-cache.js'
import tools from './tools.js'
import type { UsedPlate } from './mapping/filament-source.js'
import type { Weigh } from './mapping/trays.js'

export type { ProjectReader, OpenProject } from './project-reader.js'
export { plateOfJob } from './job-plate.js'
export type { JobProject } from './job-watch.js'
export type { PrintSettings } from './read/print-settings.js'
export { howToSlice } from './printable.js'
export { readHostProject, type HostProject } from './host-project.js'
export type { UsedPlate } from './mapping/filament-source.js'
export { mappingIn } from './mapping/caller-mapping.js'
export { judgeMapping, type Finding, type FindingCode, type WantedFilament } from './mapping/judge.js'
export { misfitOf, wantedFilaments, type Machine, type SlicedFor } from './mapping/plate-compatibility.js'
export { traysOf, type Tray, type Weigh } from './mapping/trays.js'
export { isTower } from './read/plate-map.js'
export { MOST_PLATES } from './limits.js'
export { ACCEPT, Judgement, type Judged } from './schemas.js'
export type { ImageKind, Plate, Project } from './read/project.js'
export type { ProjectRecord } from './project-document.js'

/** What a preset may set that no operator writes down. */
interface PresetOverrides {
  /** Where pages and pictures for the browser are written. */
  readonly folder?: string
  readonly openBrowser?: OpenBrowser
}

/** Sliced projects on printers' cards. */
export interface Projects extends Required<PresetOverrides> {
  readonly reader: ProjectReader
  readonly open: ProjectReader['open']
  /** What is known of the project of the present or last job. The same object until that changes. */
  ofJob (session: PrinterSession): JobProject
  /** PNG of the job's plate as the slicer drew it, from aside or from above; undefined while there is none. */
  pictureOfJob (session: PrinterSession, kind: ImageKind): Buffer | undefined
  /** PNG of the job's plate from above with its objects marked; undefined while nothing is known of them. */
  layoutOfJob (session: PrinterSession): Promise<Buffer | undefined>
  /** Lets those that wait for a start know that a person gives it up. @returns what ends that */
  onGivenUp (listener: GivenUpListener): () => void
  /** Whether anybody waited for a start of this printer, each of whom waits no longer. */
  givenUp (session: PrinterSession, by: string): Promise<boolean>
  /** Lets somebody say who knows better than the printer what is left on a spool. */
  weighBy (weigh: Weigh): void
  /** What is left in a place, g; undefined when only the printer can tell. */
  readonly weigh: Weigh
  /** Lets the plugin that follows build plates say why one may not be clear. */
  watchPlatesBy (usedPlate: UsedPlate): void
  /** Why the printer's build plate may not be clear, in a sentence; undefined when nobody says so. */
  readonly usedPlate: UsedPlate
  /** How the job was sliced; empty while nothing is known of it. */
  settingsOfJob (session: PrinterSession): PrintSettings
}

/** @returns whether it waited for a start of this printer */
export type GivenUpListener = (session: PrinterSession, by: string) => Promise<boolean>

/** What a print was started with. */
export interface PrintWish {
  readonly file: string
  readonly plate: number
  readonly plateType: PlateType
  /** Tray by filament id - 1, as it was sent; undefined without the AMS. */
  readonly mapping: readonly number[] | undefined
  readonly leveling: boolean
  readonly flow: boolean
  readonly timelapse: boolean
}

declare module 'prnd' {
  interface Services { projects: Projects }
  interface Operations { 'projects.print': typeof printFile }
  interface Events {
    /** A print is about to be sent from here: what was asked for and by whom, and how the job can be recognised. */
    'projects:starting': [printer: string, start: {
      readonly wish: PrintWish, readonly by: string, readonly job: Pick<Job, 'taskId' | 'subtaskName'>
    }]
  }
}

/** Reads sliced projects on the card, finds spools for them, and prints them. */
export const projectsWith = (outlets: PresetOverrides = {}): Plugin => definePlugin({
  name: 'projects',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Projects on the card: plates, spools for them, starting a print',
  needs: ['files'],
  provides: ['projects'],
  uses: ['commands', 'files', 'disk'],
  contributes: { routes, tools, resources: [platePicture] },
  setup ({ log, kernel, printers, services, folder, signal, provide, onClose }) {
    const store = createProjectStore({ folder, mostBytes: STORE_BYTES, signal, warn: message => log.warn(message) })
    onClose(store.settled)
    const reader = createProjectReader(() => services.files, store)
    onClose(services.files.transfers.watch(({ printer, direction, path, status }) => {
      const session = printers.get(printer)
      if (direction === 'upload' && status !== 'running' && session) void reader.forget(session, path)
    }))
    const jobs = createJobWatch((session, thorough) => readJobPlate(reader, services.files, session, thorough), log)
    printers.eachLocal(jobs.follow)
    onClose(services.files.protect(protectJob(kernel.now)))
    services.files.checkPrintsBy({ checkPrintable, judgeUpload })
    const { open } = reader
    const givenUpListeners = new Set<GivenUpListener>()
    let weigher: Weigh = () => undefined
    let plateWatcher: UsedPlate = async () => undefined
    provide('projects', {
      folder: tmpdir(),
      openBrowser,
      ...outlets,
      reader,
      open,
      ofJob: jobs.of,
      pictureOfJob: jobs.picture,
      layoutOfJob: jobs.layout,
      settingsOfJob: jobs.settings,
      onGivenUp (listener) {
        givenUpListeners.add(listener)
        return () => { givenUpListeners.delete(listener) }
      },
      async givenUp (session, by) {
        const waited = await Promise.all([...givenUpListeners].map(listener => listener(session, by)))
        return waited.includes(true)
      },
      weighBy: better => { weigher = better },
      weigh: (session, tray) => weigher(session, tray),
      watchPlatesBy: watcher => { plateWatcher = watcher },
      usedPlate: async session => await plateWatcher(session)
    })
  }
})

export default projectsWith()
