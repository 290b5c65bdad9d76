import { Type, type TSchema } from 'typebox'
import { ok, route } from '../../core/index.js'
import {
  acceptStartCode, arrangeModels, cancelSlicing, deleteModel, listJobs, listModels, readJob, readProfiles, startSlicing
} from './operations.js'
import { importProfile, removeProfile } from './imported/profile-operations.js'
import { PlacementView } from './schemas.js'

const tag = 'Slicing'

/** The picture travels with the places as a data URI, because a browser would otherwise have them made twice. */
const Arranged = Type.Object({ ...PlacementView.properties, picture: Type.String({ description: 'PNG as a data URI' }) }) as TSchema

export default [
  route(listModels, { method: 'GET', path: '/slicing/models', tag }),
  route(deleteModel, { method: 'DELETE', path: '/slicing/models/:id', tag, reply: ok }),
  route(readProfiles, { method: 'GET', path: '/slicing/profiles', tag }),
  route(importProfile, { method: 'POST', path: '/slicing/profiles', tag }),
  route(removeProfile, { method: 'DELETE', path: '/slicing/profiles/:id', tag, reply: ok }),
  route(acceptStartCode, { method: 'POST', path: '/slicing/start_code', tag }),
  route(arrangeModels, {
    method: 'POST',
    path: '/slicing/arrange',
    tag,
    body: Arranged,
    reply: ({ png, ...rest }) => ({ ...rest, picture: `data:image/png;base64,${png.toString('base64')}` })
  }),
  route(startSlicing, { method: 'POST', path: '/slicing/jobs', tag }),
  route(listJobs, { method: 'GET', path: '/slicing/jobs', tag }),
  route(readJob, { method: 'GET', path: '/slicing/jobs/:id', tag }),
  route(cancelSlicing, { method: 'DELETE', path: '/slicing/jobs/:id', tag })
]
