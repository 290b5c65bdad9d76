import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { annotatePrint, deletePrint, listPrints, readPrint, readStatistics } from './operations.js'
import { AcceptFindings } from '../projects/index.js'
import { changeKeeping, readKeeping, tryKeeping } from './keeping-operations.js'
import { readPrices, setPrices } from './price-operations.js'
import { reprint } from './reprint.js'
import { PlateNumber, reprintInputOf, UseAms } from './reprint-params.js'

const { printer_name: _, ...wanted } = listPrints.input.properties
const { printer_name: __, ...counted } = readStatistics.input.properties
const OfPrinter = { name: Type.Optional(Type.String({ description: 'Only of this printer' })) }

export default [
  tool(listPrints, {
    name: 'list_prints',
    onRequest: true,
    description: 'History of past prints, newest first',
    errors: 'coded',
    limited: 'prints',
    params: Type.Object({ ...OfPrinter, ...wanted }),
    input: ({ name, ...rest }) => ({ ...rest, ...(name !== undefined && { printer_name: name }) })
  }),
  tool(readPrint, { name: 'get_print', onRequest: true, errors: 'coded' }),
  tool(readStatistics, {
    name: 'print_statistics',
    onRequest: true,
    errors: 'coded',
    params: Type.Object({ ...OfPrinter, ...counted }),
    input: ({ name, ...rest }) => ({ ...rest, ...(name !== undefined && { printer_name: name }) })
  }),
  tool(annotatePrint, { name: 'annotate_print', onRequest: true, errors: 'coded' }),
  tool(reprint, {
    name: 'reprint',
    onRequest: true,
    description: 'Print a past print again',
    errors: 'coded',
    params: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 64, description: 'From list_prints' }),
      accept_mismatch: Type.Optional(Type.Boolean({ default: false, description: 'Despite warnings with needs_accept' })),
      accept_findings: AcceptFindings,
      ams_mapping: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Integer())], {
        title: 'a JSON list', description: 'Other spools, as preview_ams_mapping gives them'
      })),
      use_ams: UseAms,
      plate: PlateNumber
    }),
    input: ({ id, accept_mismatch: acceptMismatch = false, accept_findings: acceptFindings = [], ...choice }) =>
      ({ id, acceptMismatch, acceptFindings, ...reprintInputOf(choice) })
  }),
  tool(deletePrint, { name: 'delete_print', onRequest: true, errors: 'coded' }),
  tool(readKeeping, { name: 'how_long_prints_are_kept', description: 'How long prints and telemetry are kept', errors: 'coded', onRequest: true }),
  tool(tryKeeping, { name: 'try_keeping_prints', description: 'What a shorter time would delete', errors: 'coded', onRequest: true }),
  tool(changeKeeping, { name: 'keep_prints_for', description: 'Choose how long prints and telemetry are kept', errors: 'coded', onRequest: true }),
  tool(readPrices, { name: 'filament_prices', description: 'What a kilogram of each material costs', errors: 'coded', onRequest: true }),
  tool(setPrices, { name: 'set_filament_prices', description: 'Set what a kilogram of each material costs', errors: 'coded', onRequest: true })
]
