import { Type, type TSchema } from 'typebox'
import { route } from '../../core/index.js'
import { searchCatalogue } from './catalogue/operations.js'
import {
  addSpoolPlace, addSpoolType, changeManySpools, changeSpoolPlace, changeSpoolType, findSpool, readAccuracy,
  readInventory, removeSpool, throwAwaySpool, weighSpool
} from './inventory-operations.js'
import { addSpool, assignSpool, changeSpool, listSpools, settleUse } from './operations.js'
import { readSupply, shoppingCsv, SupplyView } from './supply/operations.js'
import { exportInventory } from './transfer/operations.js'

const tag = 'Spools'

const texts = (...types: readonly string[]): TSchema =>
  ({ content: Object.fromEntries(types.map(type => [type, { schema: { type: 'string' } }])) }) as unknown as TSchema
const saved = (name: string) => ({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
const CSV = 'text/csv; charset=utf-8'

export default [
  route(listSpools, { method: 'GET', path: '/spools', tag }),
  route(addSpool, { method: 'POST', path: '/spools', tag }),
  route(readInventory, { method: 'GET', path: '/spools/inventory', tag, etag: true }),
  route(addSpoolType, { method: 'POST', path: '/spools/types', tag }),
  route(changeSpoolType, { method: 'PATCH', path: '/spools/types', tag }),
  route(addSpoolPlace, { method: 'POST', path: '/spools/places', tag }),
  route(changeSpoolPlace, { method: 'PATCH', path: '/spools/places', tag }),
  route(changeManySpools, { method: 'POST', path: '/spools/many', tag }),
  route(readAccuracy, { method: 'GET', path: '/spools/accuracy', tag }),
  route(searchCatalogue, { method: 'GET', path: '/spools/catalogue', tag }),
  route(readSupply, {
    method: 'GET',
    path: '/spools/shopping',
    tag,
    body: { content: { 'application/json': { schema: SupplyView }, 'text/csv': { schema: Type.String() } } } as unknown as TSchema,
    reply: ({ format, supply }, _params, response) => format === 'json'
      ? supply
      : response.type(CSV).headers(saved('shopping.csv')).send(shoppingCsv(supply.filaments))
  }),
  route(exportInventory, {
    method: 'GET',
    path: '/spools/export',
    tag,
    body: texts('text/csv', 'application/json'),
    reply: ({ format, text }, _params, response) =>
      response.type(format === 'csv' ? CSV : 'application/json; charset=utf-8').headers(saved(`spools.${format}`)).send(text)
  }),
  route(assignSpool, { method: 'POST', path: '/spools/assign', tag }),
  route(settleUse, { method: 'POST', path: '/spools/settle', tag }),
  route(findSpool, { method: 'GET', path: '/spools/:id', tag, etag: true }),
  route(changeSpool, { method: 'PATCH', path: '/spools/:id', tag }),
  route(removeSpool, { method: 'DELETE', path: '/spools/:id', tag }),
  route(weighSpool, { method: 'POST', path: '/spools/:id/weigh', tag }),
  route(throwAwaySpool, { method: 'POST', path: '/spools/:id/throw', tag })
]
