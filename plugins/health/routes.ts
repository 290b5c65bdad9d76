import { Type } from 'typebox'
import { route } from '../../core/index.js'
import { categoriesOf } from './categories.js'
import { analyzeJob, changeMonitor, readMonitor } from './operations.js'
import { PictureReport, Quality } from './schemas.js'

export default [
  route(analyzeJob, {
    method: 'GET',
    path: '/analyze_active_job',
    tag: 'Camera',
    writesWith: ['store_reference'],
    body: PictureReport,
    params: Type.Object({
      store_reference: Type.Boolean({ default: false, description: 'Later pictures are compared with this one' }),
      quality: Quality,
      categories: Type.String({ default: 'X', description: 'Pictures: letters P, C, D, H, X with commas between them' })
    }),
    input: ({ store_reference: storeAsReference, quality, categories }) =>
      ({ storeAsReference, quality, categories: categoriesOf(categories.split(',')) })
  }),
  route(readMonitor, { method: 'GET', path: '/monitor_settings', tag: 'Camera' }),
  route(changeMonitor, { method: 'PATCH', path: '/monitor_settings', tag: 'Camera' })
]
