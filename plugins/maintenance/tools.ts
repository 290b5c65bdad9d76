import { tool } from '../../core/index.js'
import { markDone, readHistory, readMaintenance, undoDone } from './operations.js'
import { addTask, changeTask } from './task-operations.js'

const onRequest = true

export default [
  tool(readMaintenance, {
    name: 'list_maintenance',
    description: 'What is due on printers, and the counters that wear them: hours, abrasive grams, filament changes',
    errors: 'coded',
    less: 'a printer_name, or due',
    onRequest
  }),
  tool(markDone, {
    name: 'mark_maintenance_done', description: 'Record that a person has done maintenance tasks of a printer', errors: 'coded', onRequest
  }),
  tool(undoDone, { name: 'undo_maintenance', description: 'Take back that a task was done', errors: 'coded', onRequest }),
  tool(readHistory, {
    name: 'maintenance_history', description: 'What was done, when and by whom', errors: 'coded', limited: 'done', onRequest
  }),
  tool(addTask, {
    name: 'add_maintenance_task', description: 'Add a task: due by hours, days, grams or changes', errors: 'coded', idempotent: false, onRequest
  }),
  tool(changeTask, {
    name: 'change_maintenance_task', description: 'Change the interval of a task, or whether it holds the queue back', errors: 'coded', onRequest
  })
]
