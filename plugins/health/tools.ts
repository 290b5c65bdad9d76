import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { categoriesOf } from './categories.js'
import { analyzeJob, changeMonitor, openJobState, readMonitor } from './operations.js'
import { Quality } from './schemas.js'

export default [
  tool(analyzeJob, {
    name: 'analyze_active_job',
    description: 'Judge the print by a fresh camera picture',
    doing: 'analysing the job of <name>',
    idempotent: false,
    closedWorld: false,
    shows: 'sized',
    full: ['quality'],
    params: Type.Object({
      store_as_reference: Type.Optional(Type.Boolean({ default: false, description: 'Compare later ones with this' })),
      quality: Type.Optional(Quality),
      categories: Type.Optional(Type.Array(Type.String(), {
        description: 'P project, C camera, D diagnostics, H panel, X all on one (default)'
      }))
    }),
    input: ({ store_as_reference: storeAsReference = false, quality = 'auto', categories = [] }) =>
      ({ storeAsReference, quality, categories: categoriesOf(categories) })
  }),
  tool(openJobState, {
    name: 'open_job_state',
    description: 'Show the pictures of the last analysis on the host',
    doing: 'opening the job state of <name>',
    idempotent: false
  }),
  tool(readMonitor, { name: 'get_monitor_settings', description: 'Whether its prints are watched', onRequest: true }),
  tool(changeMonitor, { name: 'set_monitor_settings', description: 'Watch its prints, or do not', onRequest: true })
]
