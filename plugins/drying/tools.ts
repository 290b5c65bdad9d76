import { tool } from '../../core/index.js'
import { addDryingPlan, listDryingPlans, withdrawDryingPlan } from './operations.js'

/** No tool accepts a plan: that is for a person, on the page. */
export default [
  tool(listDryingPlans, {
    name: 'list_drying_plans',
    description: 'Plans that dry AMS units by themselves, what would begin now and why not, and past dryings',
    errors: 'coded',
    onRequest: true
  }),
  tool(addDryingPlan, {
    name: 'propose_drying_plan',
    description: 'Propose a drying plan; it does nothing before a person accepts it on the page',
    errors: 'coded',
    idempotent: false,
    onRequest: true
  }),
  tool(withdrawDryingPlan, {
    name: 'stop_drying_plan',
    description: 'Switch a drying plan off, and end what it dries',
    errors: 'coded',
    onRequest: true
  })
]
