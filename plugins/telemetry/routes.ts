import { Type } from 'typebox'
import { route } from '../../core/index.js'
import { FieldRequired } from './errors.js'
import { paths, readData, readHistory, readSeries } from './operations.js'

const tag = 'System'

export default [
  route(readData, { method: 'GET', ...paths.data, tag, etag: true }),
  route(readHistory, { method: 'GET', ...paths.history, tag, etag: true }),
  route(readSeries, {
    method: 'GET',
    ...paths.series,
    tag,
    etag: true,
    errors: 'text',
    params: Type.Object({
      field: Type.Optional(Type.String({
        description: 'Name of a collection (see monitoring_data) or health field',
        'x-openapi': { required: true }
      }))
    }),
    input ({ field = '' }) {
      if (field === '') throw new FieldRequired()
      return { field }
    }
  })
]
