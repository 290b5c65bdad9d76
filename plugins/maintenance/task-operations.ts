import { Type } from 'typebox'
import { operation, type DaemonContext } from '../../core/index.js'
import { NoTask, TooManyTasks } from './errors.js'
import { EveryView, Id, taskFields, TaskName, TaskView, Why } from './schemas.js'
import type { Task } from './tasks.js'
import { taskView } from './views.js'

function viewOf (task: Task, { kernel: { printers } }: DaemonContext): ReturnType<typeof taskView> {
  return taskView(task, serial => printers.names.find(name => printers.config(name)?.serial === serial))
}

export const addTask = operation({
  name: 'maintenance.addTask',
  summary: 'Add a maintenance task of your own',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Everyone is reminded of the task on these printers; one that blocks holds their queue back when it is due.',
  input: Type.Object({ name: TaskName, why: Type.Optional(Why), ...taskFields }),
  output: TaskView,
  errors: [TooManyTasks],
  async run (context, { off, ...given }) {
    const { askedBy, services: { maintenance } } = context
    return viewOf(await maintenance.addTask({ ...given, isOff: off }, askedBy), context)
  }
})

export const changeTask = operation({
  name: 'maintenance.changeTask',
  summary: 'Change a maintenance task: its interval, its printers, and whether it holds the queue back',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The task changes for everyone; one that blocks holds the queue back on printers where it is due.',
  input: Type.Object({
    id: Id,
    name: Type.Optional(TaskName),
    why: Type.Optional(Why),
    ...taskFields,
    every: Type.Optional(EveryView),
    usual: Type.Optional(Type.Boolean({ description: 'True: a built-in task gets its starting value back' }))
  }),
  output: TaskView,
  errors: [NoTask],
  async run (context, { id, off, usual, ...given }) {
    const { askedBy, services: { maintenance } } = context
    return viewOf(await maintenance.changeTask(id, { ...given, isOff: off, isUsual: usual }, askedBy), context)
  }
})

export const removeTask = operation({
  name: 'maintenance.removeTask',
  summary: 'Remove a maintenance task of your own, or set a built-in one back',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Nobody is reminded of your own task any more; a built-in task is as it was at first. What was done stays on record.',
  input: Type.Object({ id: Id }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoTask],
  async run ({ askedBy, services: { maintenance } }, { id }) {
    await maintenance.removeTask(id, askedBy)
    return { id }
  }
})
