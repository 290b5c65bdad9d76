import { route } from '../../core/index.js'
import {
  addPlug, changePlug, readEnergy, readEnergyUse, readPlugSetup, removePlug, setPrices, testPlug, turnPlugOff,
  turnPlugOn
} from './operations.js'

const tag = 'Energy'

export default [
  route(readEnergy, { method: 'GET', path: '/energy', tag }),
  route(readEnergyUse, { method: 'GET', path: '/energy/use', tag }),
  route(readPlugSetup, { method: 'GET', path: '/energy/plugs', tag }),
  route(addPlug, { method: 'POST', path: '/energy/plugs', tag }),
  route(changePlug, { method: 'PATCH', path: '/energy/plugs', tag }),
  route(removePlug, { method: 'DELETE', path: '/energy/plugs', tag }),
  route(testPlug, { method: 'POST', path: '/energy/plugs/test', tag }),
  route(turnPlugOn, { method: 'POST', path: '/energy/plugs/on', tag }),
  route(turnPlugOff, { method: 'POST', path: '/energy/plugs/off', tag }),
  route(setPrices, { method: 'PATCH', path: '/energy/prices', tag })
]
