import { tmpdir } from 'node:os'
import { definePlugin, openBrowser, type OpenBrowser, type Plugin, type PrinterSession } from '../../core/index.js'
import { createDesk, type Desk } from './desk.js'
import { createJobWatch, type JobProject } from './job-watch.js'
import { readJob } from './job.js'
import routes from './routes.js'
import tools from './tools.js'

export type { Desk, OpenProject } from './desk.js'
export type { JobProject } from './job-watch.js'
export type { Plate, Project } from './read/project.js'
export type { ProjectRecord } from './record.js'

/** What a preset may set that no operator writes down. */
interface Outlets {
  /** Where pages and pictures for the browser are written. */
  readonly folder?: string
  readonly openBrowser?: OpenBrowser
}

/** Sliced projects on printers' cards. */
export interface Projects extends Required<Outlets> {
  readonly desk: Desk
  readonly open: Desk['open']
  /** What is known of the project of the present or last job. The same object until that changes. */
  ofJob (session: PrinterSession): JobProject
}

declare module 'prn' {
  interface Services { projects: Projects }
}

/** Reads sliced projects on the card, finds spools for them, and prints them. */
export const projectsWith = (outlets: Outlets = {}): Plugin => definePlugin({
  name: 'projects',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Projects on the card: plates, spools for them, starting a print',
  needs: ['files'],
  provides: ['projects'],
  uses: ['commands', 'files', 'disk'],
  contributes: { routes, tools },
  setup ({ log, printers, services, provide }) {
    const desk = createDesk(() => services.files)
    const jobs = createJobWatch(session => readJob(desk, services.files, session, true, session.signal), log)
    printers.each(jobs.follow)
    provide('projects', { folder: tmpdir(), openBrowser, ...outlets, desk, open: desk.open, ofJob: jobs.of })
  }
})

export default projectsWith()
