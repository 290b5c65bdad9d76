import { Type } from 'typebox'
import { clockKey, defineRuleEvent, defineRuleNames, defineRuleValue, type Kernel, type Named, type RuleEvent } from '../../core/index.js'
import type { PlugEvent } from './plug-event.js'

const numbered = { en: 'the price of energy now', de: 'der Energiepreis jetzt', zh: '当前电价' }

const onPlugs = ({ events, optional }: Kernel, changed: (printer: string) => void) => {
  if (optional.energy === undefined) return () => {}
  const off = [
    events.on('energy:heard', changed),
    events.on('energy:plug', ({ printer }) => { if (printer !== undefined) changed(printer) })
  ]
  return () => { for (const undo of off) undo() }
}

/** What rules can compare. */
export const ruleValues = [
  defineRuleValue({
    name: 'plug.on',
    named: { en: 'its plug is on', de: 'seine Steckdose ist an', zh: '其插座已开启' },
    type: 'boolean',
    perPrinter: true,
    read: ({ optional }, printer) => optional.energy?.ofPrinter(printer)?.monitor.isOn,
    watch: onPlugs
  }),
  defineRuleValue({
    name: 'plug.watts',
    named: { en: 'the power of its plug', de: 'die Leistung seiner Steckdose', zh: '其插座的功率' },
    type: 'number',
    unit: 'W',
    perPrinter: true,
    read: ({ optional }, printer) => optional.energy?.ofPrinter(printer)?.monitor.state.watts,
    watch: onPlugs
  }),
  defineRuleValue({
    name: 'energy.price_now', named: numbered, type: 'number', perPrinter: false, read: ({ optional }) => optional.energy?.priceNow()
  })
]

const fields = Type.Object({
  plug: Type.String({ description: 'Name of the plug' }),
  by: Type.String({ description: 'Who switched it: a caller, `queue`, `idle`, or `elsewhere`; empty if nobody did' }),
  watts: Type.Union([Type.Number(), Type.Null()], { description: 'Drawn then, W; null: unknown' })
})
const fieldNames = {
  plug: { en: 'plug', de: 'Steckdose', zh: '插座' },
  by: { en: 'by whom', de: 'durch wen', zh: '操作者' },
  watts: { en: 'power', de: 'Leistung', zh: '功率' }
}

/** Services notice at different times that a plug is silent, or draws power; ms by what happened. */
const SAME_MS: Partial<Record<PlugEvent['what'], number>> = { lost: 60_000, unexpected: 60_000 }

const plugEvent = (name: string, what: PlugEvent['what'], named: Named): RuleEvent => defineRuleEvent({
  name,
  named,
  fields,
  fieldNames,
  perPrinter: false,
  watch: ({ events }, happened) => events.on('energy:plug', event => {
    if (event.what !== what) return
    const { id, name: plug, printer, at, by, watts } = event
    happened({ printer, at, ...clockKey(`${id}:${what}`, at, SAME_MS[what]), fields: { plug, by, watts: watts ?? null } })
  })
})

/** What rules can begin with. */
export const ruleEvents = [
  plugEvent('plug.turned_on', 'turned_on', { en: 'a plug is switched on', de: 'eine Steckdose wird eingeschaltet', zh: '插座被开启' }),
  plugEvent('plug.turned_off', 'turned_off', { en: 'a plug is switched off', de: 'eine Steckdose wird ausgeschaltet', zh: '插座被关闭' }),
  plugEvent('plug.lost', 'lost', { en: 'a plug does not answer', de: 'eine Steckdose antwortet nicht', zh: '插座无响应' }),
  plugEvent('power.unexpected', 'unexpected', {
    en: 'power flows that should not', de: 'Strom fließt, der nicht fließen sollte', zh: '出现不应有的用电'
  })
]

/** Plugs by their names. */
export const ruleNames = [
  defineRuleNames({
    operations: ['energy.turnOff', 'energy.turnOn'], input: 'id', isWhole: true, list: ({ optional }) => optional.energy?.names()
  })
]
