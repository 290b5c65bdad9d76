import { tool } from '../../core/index.js'
import { listFilaments } from './operations.js'

export default [
  tool(listFilaments, {
    name: 'get_filament_catalog',
    doing: 'reading filament catalog',
    envelope: true,
    result: filaments => ({ count: filaments.length, filaments })
  })
]
