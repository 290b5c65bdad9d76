import { Type } from 'typebox'
import { defineRuleEvent, defineRuleValue, type Kernel, type RuleEvent } from '../../core/index.js'
import type { TaskEvent } from './notices.js'

const FIELDS = Type.Object({
  task: Type.String({ description: 'Id of the task' }),
  name: Type.String({ description: 'What it is called' })
})
const FIELD_NAMES = {
  task: { en: 'the task', de: 'die Aufgabe', zh: '任务' },
  name: { en: "the task's name", de: 'der Name der Aufgabe', zh: '任务名称' }
}

const taskEvent = (kind: TaskEvent['kind'], named: RuleEvent['named']): RuleEvent => defineRuleEvent({
  name: `maintenance.${kind}`,
  named,
  fields: FIELDS,
  fieldNames: FIELD_NAMES,
  perPrinter: true,
  watch: ({ events }, happened) => events.on('maintenance:task', event => {
    if (event.kind !== kind) return
    const { printer, task, name, key, at } = event
    happened({ printer, fields: { task, name }, key, at })
  })
})

export const ruleEvents = [
  taskEvent('soon', { en: 'maintenance is soon due', de: 'eine Wartung bald fällig ist', zh: '维护即将到期' }),
  taskEvent('due', { en: 'maintenance is due', de: 'eine Wartung fällig ist', zh: '维护到期' }),
  taskEvent('done', { en: 'maintenance was done', de: 'eine Wartung erledigt wurde', zh: '维护已完成' })
]

/** Any printer's hours may have changed. */
const onChanges = ({ events, printers }: Kernel, changed: (printer: string) => void) =>
  events.on('maintenance:changed', () => { for (const name of printers.names) changed(name) })

export const ruleValues = [
  defineRuleValue({
    name: 'maintenance.next_hours',
    named: { en: 'printing hours until the next maintenance', de: 'Druckstunden bis zur nächsten Wartung', zh: '距下次维护的打印小时数' },
    type: 'number',
    unit: 'h',
    perPrinter: true,
    read: ({ services }, printer) => services.maintenance.statusOf(printer)?.nextHours,
    watch: onChanges
  }),
  defineRuleValue({
    name: 'printer.hours',
    named: { en: 'printing hours of the printer', de: 'Druckstunden des Druckers', zh: '打印机的打印小时数' },
    type: 'number',
    unit: 'h',
    perPrinter: true,
    read: ({ services }, printer) => services.maintenance.statusOf(printer)?.counters.hours,
    watch: onChanges
  })
]
