import { definePlugin } from '../../core/index.js'
import { createDocuments, type Documents } from './document/index.js'
import type {} from '../files/index.js'
import type {} from '../projects/index.js'
import routes from './routes.js'
import tools from './tools.js'

export type { StateDocument } from './document/index.js'

declare module 'prn' {
  interface Services {
    /** The documented form of a printer's state. */
    state: Documents
  }
}

const NO_PROJECT = { info: null, fetched: false }

export default definePlugin({
  name: 'state',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'State of a printer: job, temperatures, AMS, spools, errors',
  needs: ['filament'],
  provides: ['state'],
  contributes: { routes, tools },
  setup ({ kernel, services, provide }) {
    // An application without cards or projects has a state all the same.
    provide('state', createDocuments(kernel.hms, services.filaments, {
      project (session) {
        if (!('projects' in services)) return NO_PROJECT
        const { projects } = services
        return projects.ofJob(session)
      },
      listings (session) {
        if (!('files' in services)) return undefined
        const { files } = services
        return files.lastListings(session)
      }
    }))
  }
})
