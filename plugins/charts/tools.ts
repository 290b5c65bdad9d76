import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { openCharts, readDocument, readPanels } from './operations.js'

export default [
  tool(openCharts, { name: 'open_charts', errors: 'coded', effect: 'read', idempotent: false }),
  tool(readDocument, {
    name: 'render_charts_html',
    title: 'Render Charts HTML',
    returns: 'text',
    less: 'render_charts_panels',
    params: Type.Object({ name: Type.String() }),
    input: ({ name }) => ({ printer: name }),
    result: ({ html }) => html
  }),
  tool(readPanels, { name: 'render_charts_panels', pages: 'panels' })
]
