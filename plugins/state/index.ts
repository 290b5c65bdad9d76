import { definePlugin, type PrinterSession } from '../../core/index.js'
import { createDocuments, type StateDocument } from './document/index.js'
import type {} from '../projects/index.js'
import routes from './routes.js'
import tools from './tools.js'

export type { StateDocument } from './document/index.js'

declare module 'prn' {
  interface Services {
    /** The documented form of a printer's state. */
    state: { document (session: PrinterSession): StateDocument }
  }
}

const NO_PROJECT = { info: null, fetched: false }
const NO_LISTINGS = { all: null, projects: null }

export default definePlugin({
  name: 'state',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'State of a printer: job, temperatures, AMS, spools, errors',
  needs: ['filament'],
  provides: ['state'],
  contributes: { routes, tools },
  setup ({ kernel, services, provide }) {
    const document = createDocuments(kernel.faults, services.filaments, {
      // An application without projects has a state all the same.
      project (session) {
        if (!('projects' in services)) return NO_PROJECT
        const { projects } = services
        return projects.ofJob(session)
      },
      listings: () => NO_LISTINGS
    })
    provide('state', { document })
  }
})
