import { Type } from 'typebox'
import { route } from '../../core/index.js'
import { listFilaments } from './operations.js'

export default [
  route(listFilaments, {
    method: 'GET',
    path: '/filament_catalog',
    tag: 'System',
    params: Type.Object({}),
    input: () => ({})
  })
]
