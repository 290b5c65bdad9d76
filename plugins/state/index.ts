import { definePlugin } from '../../core/index.js'
import { createDocuments, type Documents } from './document/index.js'
import type {} from '../files/index.js'
import type {} from '../projects/index.js'
import routes from './routes.js'
import tools from './tools.js'

export { conditionOf, jobCondition, standingFaults } from './conditions.js'
export { CONDITIONS, FAULT_TONES, JOB_CONDITIONS } from './conditions.data.js'
export { conditionTexts } from './texts/index.js'
export { limitsOf } from './models.js'
export type { Condition, Tone } from './conditions.data.js'
export type { StateDocument } from './document/index.js'

declare module 'prnd' {
  interface Services {
    /** The documented form of a printer's state. */
    state: Documents
  }
}

const NO_PROJECT = { info: null, fetched: false }

export default definePlugin({
  name: 'state',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'State of a printer: job, temperatures, AMS, spools, errors',
  needs: ['filament'],
  optional: ['files', 'projects'],
  provides: ['state'],
  contributes: { routes, tools },
  setup ({ kernel, services, optional, provide }) {
    // State is available without the plugins for cards and projects, too.
    provide('state', createDocuments(kernel.hms, services.filaments, {
      project: session => optional.projects?.ofJob(session) ?? NO_PROJECT,
      remaining: session => optional.projects?.remaining(session),
      listings: session => optional.files?.lastListings(session)
    }))
  }
})
