import { Type, type TSchema } from 'typebox'
import { ok, route } from '../../core/index.js'
import { acceptError, readPicture, readStatus, refillMagazine, removePicture, setMask, takePicture } from './operations/printers.js'
import { acceptRecipe, deleteRecipe, explainRecipe, listRecipes, saveRecipe, tryRecipe } from './operations/recipes.js'

const tag = 'Plate change'
const JPEG = {
  content: { 'image/jpeg': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
} as unknown as TSchema

export default [
  route(listRecipes, { method: 'GET', path: '/plate-change/recipes', tag }),
  route(saveRecipe, { method: 'POST', path: '/plate-change/recipes', tag }),
  route(deleteRecipe, { method: 'DELETE', path: '/plate-change/recipes/:id', tag, reply: ok }),
  route(explainRecipe, { method: 'GET', path: '/plate-change/explain', tag }),
  route(tryRecipe, { method: 'POST', path: '/plate-change/try', tag }),
  route(acceptRecipe, { method: 'POST', path: '/plate-change/accept', tag }),
  route(readStatus, { method: 'GET', path: '/plate-change/status', tag }),
  route(refillMagazine, { method: 'POST', path: '/plate-change/refill', tag, reply: ok }),
  route(takePicture, { method: 'POST', path: '/plate-change/pictures', tag }),
  route(removePicture, { method: 'DELETE', path: '/plate-change/pictures/:id', tag, reply: ok }),
  route(readPicture, {
    method: 'GET',
    path: '/plate-change/pictures/:id',
    tag,
    body: JPEG,
    reply: ({ jpeg }, _params, response) => response.type('image/jpeg').headers({
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff'
    }).send(jpeg)
  }),
  route(setMask, { method: 'POST', path: '/plate-change/mask', tag, reply: ok }),
  route(acceptError, { method: 'POST', path: '/plate-change/accept_error', tag })
]
