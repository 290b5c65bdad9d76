import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import type { StateDocument } from '../../../plugins/state/index.js'
import { hasData } from '../telemetry-view/index.js'

const Nothing = Type.Object({})
/** The state document; its shape is that of the state feature. */
export const PrinterDocument = Type.Unsafe<StateDocument>({ type: 'object', additionalProperties: true })

/** Undefined unless reports arrive, or there is at least a spool. */
export const readPrinter = operation({
  name: 'standalone.readPrinter',
  summary: 'The full state of the printer; 304 while there is nothing healthy to show',
  effect: 'read',
  input: Nothing,
  output: Type.Unsafe<StateDocument | undefined>(Type.Union([PrinterDocument, Type.Undefined()])),
  run ({ session, services }) {
    const document = services.standalone.printer(session)
    return document._recent_update && document._printer_state.spools.length > 0 ? document : undefined
  }
})

export const checkHealth = operation({
  name: 'standalone.checkHealth',
  summary: 'The full state of the printer; 500 while nothing at all is known',
  effect: 'read',
  input: Nothing,
  output: Type.Object({ healthy: Type.Boolean(), printer: PrinterDocument }),
  run ({ session, services }) {
    const printer = services.standalone.printer(session)
    return { healthy: hasData(printer), printer }
  }
})
