import { Type, type TSchema } from 'typebox'
import { route } from '../../core/index.js'
import { countDue, markDone, readHistory, readMaintenance, readPhoto, setBefore, undoDone } from './operations.js'
import { addTask, changeTask, removeTask } from './task-operations.js'

const tag = 'Maintenance'
const JPEG = {
  content: { 'image/jpeg': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
} as unknown as TSchema

export default [
  route(readMaintenance, { method: 'GET', path: '/maintenance', tag }),
  route(countDue, { method: 'GET', path: '/maintenance/count', tag }),
  route(readHistory, { method: 'GET', path: '/maintenance/history', tag }),
  route(markDone, { method: 'POST', path: '/maintenance/done', tag }),
  route(undoDone, { method: 'DELETE', path: '/maintenance/done/:id', tag }),
  route(readPhoto, {
    method: 'GET',
    path: '/maintenance/done/:id/photo',
    tag,
    body: JPEG,
    reply: ({ jpeg }, _params, response) => response.type('image/jpeg').header('cache-control', 'no-store').send(jpeg)
  }),
  route(setBefore, { method: 'PATCH', path: '/maintenance/before', tag }),
  route(addTask, { method: 'POST', path: '/maintenance/tasks', tag }),
  route(changeTask, { method: 'PATCH', path: '/maintenance/tasks/:id', tag }),
  route(removeTask, { method: 'DELETE', path: '/maintenance/tasks/:id', tag })
]
