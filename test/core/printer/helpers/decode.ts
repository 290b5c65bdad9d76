import { resolveModel } from '../../../../core/printer/models.js'
import { decodeState } from '../../../../core/printer/state/index.js'
import { EMPTY_CONTEXT, type SessionContext } from '../../../../core/printer/state/context.js'
import type { PrinterState } from '../../../../core/printer/state/types.js'
import { START, type Fields } from './feed.js'
import { mergeReport } from './merge.js'

export interface DecodeOptions {
  /** Name of the model. @default X1C */
  readonly model?: string
  readonly context?: Partial<SessionContext>
  readonly at?: number
}

/** The state that one report, merged into nothing, decodes to. */
export function decode (report: Fields, { model = 'X1C', context = {}, at = START }: DecodeOptions = {}): PrinterState {
  const { tree } = mergeReport({}, report)
  return decodeState(tree, resolveModel('', model), { ...EMPTY_CONTEXT, ...context }, at).state
}

/** A `device` object of a dual printer; fields of the right extruder (0), of the left (1), and the state word. */
export const dual = (right: Fields, left: Fields = {}, state = 2): Fields => ({
  device: { extruder: { state, info: [{ id: 0, ...right }, { id: 1, ...left }] } }
})
