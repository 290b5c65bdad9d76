import { Type, type TSchema } from 'typebox'
import { ok, route } from '../../core/index.js'
import { readBoard } from './operations/board.js'
import { deleteFile, fetchFile, listFiles, readPicture, setParts } from './operations/files.js'
import { addGroup, changeGroup, readGroups, removeGroup } from './operations/groups.js'
import { listQueue, queueJob, readJob, updateJob } from './operations/jobs.js'
import { releasePrinter, setFailureLimit } from './operations/failures.js'
import { readWarming, setWarming } from './operations/warming.js'
import { confirmPlateClear, pauseQueue } from './operations/printers.js'

const tag = 'Queue'
const PNG = {
  content: { 'image/png': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
} as unknown as TSchema

export default [
  route(listQueue, { method: 'GET', path: '/queue', tag }),
  route(readBoard, { method: 'GET', path: '/queue/board', tag }),
  route(queueJob, { method: 'POST', path: '/queue', tag }),
  route(listFiles, { method: 'GET', path: '/queue/files', tag }),
  route(fetchFile, { method: 'POST', path: '/queue/files/card', tag }),
  route(deleteFile, { method: 'DELETE', path: '/queue/files/:id', tag, reply: ok }),
  route(setParts, { method: 'PATCH', path: '/queue/files/:id', tag }),
  route(readPicture, {
    method: 'GET',
    path: '/queue/files/:id/picture',
    tag,
    body: PNG,
    reply: ({ png }, _params, response) => response.type('image/png').headers({
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff'
    }).send(png)
  }),
  route(confirmPlateClear, { method: 'POST', path: '/queue/plate_clear', tag }),
  route(readGroups, { method: 'GET', path: '/queue/groups', tag }),
  route(addGroup, { method: 'POST', path: '/queue/groups', tag }),
  route(changeGroup, { method: 'PATCH', path: '/queue/groups', tag }),
  route(removeGroup, { method: 'DELETE', path: '/queue/groups', tag }),
  route(readWarming, { method: 'GET', path: '/queue/warming', tag }),
  route(setWarming, { method: 'PATCH', path: '/queue/warming', tag }),
  route(releasePrinter, { method: 'POST', path: '/queue/release', tag }),
  route(setFailureLimit, { method: 'PATCH', path: '/queue/failures', tag }),
  route(pauseQueue, { method: 'POST', path: '/queue/pause', tag }),
  route(readJob, { method: 'GET', path: '/queue/jobs/:id', tag }),
  route(updateJob, { method: 'PATCH', path: '/queue/jobs/:id', tag })
]
