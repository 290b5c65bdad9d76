import { route } from '../../core/index.js'
import { acceptDryingPlan, addDryingPlan, changeDryingPlan, listDryingPlans, removeDryingPlan, withdrawDryingPlan } from './operations.js'

const tag = 'Drying'

export default [
  route(listDryingPlans, { method: 'GET', path: '/drying_plans', tag }),
  route(addDryingPlan, { method: 'POST', path: '/drying_plans', tag }),
  route(changeDryingPlan, { method: 'PATCH', path: '/drying_plans/:id', tag }),
  route(removeDryingPlan, { method: 'DELETE', path: '/drying_plans/:id', tag }),
  route(acceptDryingPlan, { method: 'POST', path: '/drying_plans/:id/accept', tag }),
  route(withdrawDryingPlan, { method: 'POST', path: '/drying_plans/:id/withdraw', tag })
]
