import { tool } from '../../core/index.js'
import { readEnergy, readEnergyUse, turnPlugOff, turnPlugOn } from './operations.js'

export default [
  tool(readEnergy, { name: 'list_plugs', description: 'Plugs, their power now, and the price of energy', errors: 'coded', onRequest: true }),
  tool(readEnergyUse, { name: 'energy_use', description: 'Energy and cost by day and printer', errors: 'coded', onRequest: true }),
  tool(turnPlugOn, { name: 'turn_plug_on', description: 'Switch a plug on', errors: 'coded', onRequest: true }),
  tool(turnPlugOff, {
    name: 'turn_plug_off', description: 'Switch a plug off, if its printer is idle and cool', errors: 'coded', onRequest: true
  })
]
