import { Type } from 'typebox'
import { defineRuleEvent, defineRuleValue, type Named } from '../../core/index.js'
import { magazineOf } from './clearing/accepted-recipe.js'
import type { PlateChange } from './clearing/plate-clearer.js'

const REASON: Named = { en: 'the reason', de: 'der Grund', zh: '原因' }

const event = (kind: PlateChange['kind'], name: string, named: Named) => defineRuleEvent({
  name,
  named,
  perPrinter: true,
  fields: Type.Object({ reason: Type.String({ description: 'What was found, in words' }) }),
  fieldNames: { reason: REASON },
  watch: ({ events }, happened) => events.on('plate-change:changed', change => {
    if (change.kind !== kind) return
    const { printer, reason, run, at } = change
    happened({ printer, fields: { reason }, key: `${run}:${kind}`, at })
  })
})

export const ruleEvents = [
  event('cleared', 'plate.cleared', { en: 'a plate was found empty', de: 'eine Platte leer gefunden wurde', zh: '发现打印板已清空' }),
  event('unsure', 'plate.unsure', { en: 'a person has to look at a plate', de: 'jemand eine Platte ansehen muss', zh: '需要有人查看打印板' }),
  event('magazine_empty', 'magazine.empty', { en: 'the magazine of plates is empty', de: 'das Plattenmagazin leer ist', zh: '换板料仓已空' })
]

export const ruleValues = [
  defineRuleValue({
    name: 'magazine.left',
    named: { en: 'plates left in the magazine', de: 'Platten im Magazin', zh: '料仓剩余打印板数' },
    type: 'number',
    perPrinter: true,
    read ({ services, printers }, printer) {
      const serial = printers.config(printer)?.serial
      const stored = services.plateChange.clearer.stored
      const magazine = stored && serial !== undefined ? magazineOf(stored, serial) : undefined
      return magazine && Math.max(0, magazine.size - magazine.used)
    }
  })
]
