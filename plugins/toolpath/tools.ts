import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { mappingIn } from '../projects/index.js'
import { drawPlateLayer, readSummary } from './operations.js'
import { FindingView, Summary, type SummaryView } from './schemas.js'

function verdictOf ({ stops, warnings }: Pick<SummaryView, 'stops' | 'warnings'>): string {
  if (stops > 0) return 'Do not print this plate: see findings.'
  return warnings > 0 ? 'Ask a person before you print this plate: see findings.' : 'Nothing speaks against printing it.'
}

/** Agents act on words, and pay for each. */
function inWords ({ findings, objects, lines: _, ...summary }: SummaryView) {
  return {
    verdict: verdictOf(summary),
    findings: findings.map(({ weight, code, message, remedy, may_accept: mayAccept }) =>
      ({ weight, code, message, remedy, may_accept: mayAccept })),
    ...summary,
    objects: objects.length
  }
}

const { lines: _lines, findings: _findings, objects: _objects, ...summary } = Summary.properties
const Checked = Type.Object({
  verdict: Type.String({ description: 'What to do, in words' }),
  findings: Type.Array(Type.Pick(FindingView, ['weight', 'code', 'message', 'remedy', 'may_accept']), { description: 'Worst first' }),
  ...summary,
  objects: Type.Integer({ description: 'How many' })
})

const Plate = Type.Optional(Type.Integer({ minimum: 1, default: 1 }))

export default [
  tool(readSummary, {
    name: 'check_plate',
    description: 'What is wrong with a plate; time, filament',
    errors: 'coded',
    closedWorld: false,
    params: Type.Object({
      file_path: Type.String(),
      plate_num: Plate,
      ams_mapping: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Integer())], {
        title: 'a JSON list', description: 'Trays'
      }))
    }),
    input: ({ file_path: file, plate_num: plate = 1, ams_mapping: given }) => ({ file, plate, ...mappingIn(given) }),
    answer: Checked,
    result: inWords
  }),
  tool(drawPlateLayer, {
    name: 'show_layer',
    description: 'Picture of a layer of a plate on the bed, from above',
    errors: 'coded',
    closedWorld: false,
    shows: 'sized',
    params: Type.Object({ file_path: Type.String(), plate_num: Plate, layer: Type.Integer({ minimum: 1, description: 'From 1' }) }),
    input: ({ file_path: file, plate_num: plate = 1, layer }) => ({ file, plate, layer }),
    pictures: ({ png }) => [{ bytes: png }],
    answer: Type.Omit(drawPlateLayer.output, ['png']),
    result: ({ png: _, ...said }) => said
  })
]
