import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { boardOf } from '../board/index.js'
import { BoardView } from '../board/schemas.js'

const MOST_GROUPS = 5_000
const USUAL_GROUPS = 200
const MOST_HOURS = 72

export const readBoard = operation({
  name: 'queue.board',
  summary: 'Open jobs grouped by part, when they are expected to be printed, and what each printer prints by the hour',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_GROUPS, default: USUAL_GROUPS })),
    from: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_GROUPS, default: 0, description: 'Groups to skip' })),
    hours: Type.Optional(Type.Integer({
      minimum: 0, maximum: MOST_HOURS, default: 0, description: 'How far the timeline of the printers reaches; 0: without one'
    }))
  }),
  output: BoardView,
  async run ({ services: { queue } }, { limit = USUAL_GROUPS, from = 0, hours = 0 }) {
    const outlook = await queue.forecasts.current(true)
    return { ...boardOf(outlook, { limit, from, hours }), printers: queue.printerRows(outlook) }
  }
})
