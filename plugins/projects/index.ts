import { tmpdir } from 'node:os'
import {
  definePlugin, openBrowser, type Job, type OpenBrowser, type Plugin, type PrinterSession
} from '../../core/index.js'
import { PlateJudge } from './findings/plate-judge.js'
import { createProjectReader, type ProjectReader } from './project-reader.js'
import { createJobWatch, type JobProject } from './job-watch.js'
import { STORE_BYTES } from './limits.js'
import type { printFile } from './operations/print.js'
import { readJobPlate, protectJob } from './job.js'
import type { PrintSettings } from './read/print-settings.js'
import type { ImageKind } from './read/project.js'
import type { PlateType } from './print/project-file.js'
import { platePicture } from './resource.js'
import routes from './routes.js'
import { checkPrintable, judgeUpload } from './printable.js'
import { createProjectStore } from './project-store.js'
import tools from './tools.js'
import type { UsedPlate } from './mapping/filament-source.js'
import type { Weigh } from './mapping/trays.js'
import de from './texts/warnings/de.json' with { type: 'json' }
import en from './texts/warnings/en.json' with { type: 'json' }
import zh from './texts/warnings/zh.json' with { type: 'json' }

/** Texts of the warnings about a mapping, for every page that shows them by `warningWords`. */
export const warningTexts = { en, de, zh }

export type { ProjectReader, OpenProject } from './project-reader.js'
export { plateOfJob } from './job-plate.js'
export type { JobProject } from './job-watch.js'
export type { PrintSettings } from './read/print-settings.js'
export { howToSlice } from './printable.js'
export { readHostProject, type HostProject } from './host-project.js'
export { openProjectArchive } from './open-project-archive.js'
export { readPlateRecord } from './plate-record.js'
export { BadArchive } from './errors.js'
export type { UsedPlate } from './mapping/filament-source.js'
export { mappingIn } from './mapping/caller-mapping.js'
export { judgeMapping, type Finding, type FindingCode, type WantedFilament } from './mapping/judge.js'
export { misfitOf, wantedFilaments, type Machine, type SlicedFor } from './mapping/misfit.js'
export { traysOf, type Tray, type Weigh } from './mapping/trays.js'
export { isTower } from './read/plate-map.js'
export { MOST_PLATES } from './limits.js'
export type { JudgeOptions, JudgePlate, PlateJudge, PlateJudgement, PlateStart, SentPlate, StartedPrint } from './findings/plate-judge.js'
export { costOnCard, isRefusedStart, paidPrint, plateCost } from './print/start-cost.js'
export { acceptedIn, AcceptFindingsParam, AcceptWarningsParam, warningsIn } from './findings/accepted-in.js'
export { findingsText, refusing } from './findings/check-findings.js'
export { PlateFindings } from './errors.js'
export { ACCEPT, AcceptFindings, AcceptWarnings, Judgement, PlateFinding, PlateRead, type Judged } from './schemas.js'
export type { ImageKind, Plate, Project } from './read/project.js'
export type { ProjectRecord } from './project-document.js'

/** Dependencies that presets and tests may replace; not part of the configuration. */
interface PresetOverrides {
  /** Where pages and pictures for the browser are written. */
  readonly folder?: string
  readonly openBrowser?: OpenBrowser
  /** How long a start waits for its plate to be read from the card, ms. */
  readonly cardMs?: number
}

/** Sliced projects on printers' cards. */
export interface Projects extends Required<Omit<PresetOverrides, 'cardMs'>> {
  readonly reader: ProjectReader
  readonly open: ProjectReader['open']
  /** The project of the current or last job. The same object until it changes. */
  ofJob (session: PrinterSession): JobProject
  /** The slicer's picture of the job's plate, as PNG, from the side or from above; undefined while there is none. */
  pictureOfJob (session: PrinterSession, kind: ImageKind): Buffer | undefined
  /** PNG of the job's plate from above with its objects marked; undefined while they are unknown. */
  layoutOfJob (session: PrinterSession): Promise<Buffer | undefined>
  /** Registers a listener for starts that a person gives up. @returns a function that removes it */
  onGivenUp (listener: GivenUpListener): () => void
  /**
   * Notifies the listeners.
   * @returns whether any of them was waiting for a start of this printer
   */
  givenUp (session: PrinterSession, by: string, which: WhichStart): Promise<boolean>
  /** Sets the plugin that knows remaining weights better than the printer. */
  weighBy (weigh: Weigh): void
  /** Filament left in a tray, g; undefined when only the printer knows. */
  readonly weigh: Weigh
  /** Sets the plugin that knows the time of moves. */
  remainingBy (remaining: Remaining): void
  /** Time of the moves that the job still has to make, s; undefined while unknown. */
  readonly remaining: Remaining
  /** Sets the plugin that tracks build plates and explains why one may not be clear. */
  watchPlatesBy (usedPlate: UsedPlate): void
  /** A sentence why the printer's build plate may not be clear; undefined when nothing suggests that. */
  readonly usedPlate: UsedPlate
  /** Has the moves of plates judged before they are printed. */
  readonly plates: PlateJudge
  /** Print settings of the job; empty while unknown. */
  settingsOfJob (session: PrinterSession): PrintSettings
}

/** @returns s, or undefined */
export type Remaining = (session: PrinterSession) => number | undefined

/** @returns whether the listener was waiting for a start of this printer */
export type GivenUpListener = (session: PrinterSession, by: string, which: WhichStart) => Promise<boolean>
/** Which start is given up, as far as that is known: one that was sent then, or with this task. */
export interface WhichStart { readonly since?: number | undefined, readonly task?: string }

/** The parameters that a print was started with. */
export interface PrintRequest {
  readonly file: string
  readonly plate: number
  readonly plateType: PlateType
  /** The mapping that was sent: tray by filament id - 1; undefined without the AMS. */
  readonly mapping: readonly number[] | undefined
  readonly leveling: boolean
  readonly flow: boolean
  readonly timelapse: boolean
  /** Codes of findings that the caller has accepted; absent without any. */
  readonly accepted?: readonly string[]
}

declare module 'prnd' {
  interface Services { projects: Projects }
  interface Operations { 'projects.print': typeof printFile }
  interface Events {
    /** This service is about to send a print: its parameters, who requested it, and the ids of its job. */
    'projects:starting': [printer: string, start: {
      readonly request: PrintRequest, readonly by: string, readonly job: Pick<Job, 'taskId' | 'subtaskName'>
    }]
  }
}

/** Reads sliced projects on the card, maps their filaments to spools, and prints them. */
export const projectsWith = ({ cardMs, ...overrides }: PresetOverrides = {}): Plugin => definePlugin({
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
    let reckon: Remaining = () => undefined
    let plateWatcher: UsedPlate = async () => undefined
    provide('projects', {
      folder: tmpdir(),
      openBrowser,
      ...overrides,
      reader,
      open,
      ofJob: jobs.of,
      pictureOfJob: jobs.picture,
      layoutOfJob: jobs.layout,
      plates: new PlateJudge(cardMs),
      settingsOfJob: jobs.settings,
      onGivenUp (listener) {
        givenUpListeners.add(listener)
        return () => { givenUpListeners.delete(listener) }
      },
      async givenUp (session, by, which) {
        const waited = await Promise.all([...givenUpListeners].map(listener => listener(session, by, which)))
        return waited.includes(true)
      },
      weighBy: better => { weigher = better },
      weigh: (session, tray) => weigher(session, tray),
      remainingBy: better => { reckon = better },
      remaining: session => reckon(session),
      watchPlatesBy: watcher => { plateWatcher = watcher },
      usedPlate: async session => await plateWatcher(session)
    })
  }
})

export default projectsWith()
