import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { Fleet } from './schemas.js'
import { absent, fleetOf, summaryOf } from './summary.js'

export const readFleet = operation({
  name: 'overview.read',
  summary: 'All printers in a few words, who needs a person first',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Fleet,
  run ({ kernel: { printers, hms } }) {
    return fleetOf(printers.names.map(name => {
      const session = printers.get(name)
      return session ? summaryOf(session, hms) : absent(name)
    }))
  }
})
