import { Type } from 'typebox'
import { route } from '../../core/index.js'
import { FieldRequired } from './errors.js'
import { paths, readData, readHistory, readSeries } from './operations.js'

const tag = 'System'

export default [
  route(readData, { method: 'GET', ...paths.data, tag }),
  route(readHistory, { method: 'GET', ...paths.history, tag }),
  route(readSeries, {
    method: 'GET',
    ...paths.series,
    tag,
    errors: 'text',
    params: Type.Object({ field: Type.Optional(Type.String({ description: 'Required. Name of a collection or health field' })) }),
    input ({ field = '' }) {
      if (field === '') throw new FieldRequired()
      return { field }
    }
  })
]
