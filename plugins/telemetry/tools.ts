import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { linkData, linkHistory, linkSeries } from './operations.js'

export default [
  tool(linkData, { name: 'get_monitoring_data', errors: 'coded' }),
  tool(linkHistory, {
    name: 'get_monitoring_history',
    errors: 'coded',
    params: Type.Object({ raw: Type.Optional(Type.Boolean({ default: false, description: 'url: every point' })) }),
    input: ({ raw = false }) => ({ raw })
  }),
  tool(linkSeries, {
    name: 'get_monitoring_series',
    errors: 'coded',
    params: Type.Object({ field: Type.String({ description: 'collection or health field, exact' }) }),
    input: ({ field }) => ({ field })
  })
]
