import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { exportSpools, EXPORTS } from './export.js'

export const exportInventory = operation({
  name: 'spools.export',
  summary: 'All spools, also archived ones, as a list that can be imported again',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ format: Type.Optional(Type.Enum(EXPORTS, { default: 'csv' })) }),
  output: Type.Object({ format: Type.Enum(EXPORTS), text: Type.Unsafe<Readable>({}) }),
  async run ({ kernel, services: { spools: { inventory } } }, { format = 'csv' }) {
    const { rows } = inventory
    const [types, places, spools] = await Promise.all([rows.types(), rows.places(), inventory.list()])
    return { format, text: exportSpools({ types, places, spools }, format, kernel.redact) }
  }
})
