import { tool } from '../../core/index.js'
import { annotatePrint, deletePrint, listPrints, readPrint, readStatistics } from './operations.js'

export default [
  tool(listPrints, { name: 'list_prints', errors: 'coded', less: 'a limit' }),
  tool(readPrint, { name: 'get_print', errors: 'coded' }),
  tool(readStatistics, { name: 'print_statistics', errors: 'coded' }),
  tool(annotatePrint, { name: 'annotate_print', errors: 'coded' }),
  tool(deletePrint, { name: 'delete_print', errors: 'coded' })
]
