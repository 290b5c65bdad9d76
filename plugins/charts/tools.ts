import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { withoutDrawings } from './page.js'
import { openCharts, readDocument, readPanels } from './operations.js'

export default [
  tool(openCharts, { name: 'open_charts', errors: 'coded', effect: 'read', idempotent: false }),
  tool(readDocument, {
    name: 'render_charts_html',
    description: 'Dashboard as HTML: what the charts show, in words',
    title: 'Render Charts HTML',
    returns: 'text',
    less: 'it without whole',
    full: ['whole'],
    params: Type.Object({
      name: Type.String(),
      whole: Type.Optional(Type.Boolean({ description: 'With drawings; 40 kB, packed' }))
    }),
    input: ({ name }) => ({ printer: name }),
    result: ({ html }) => html,
    brief: ({ html }) => withoutDrawings(html)
  }),
  tool(readPanels, { name: 'render_charts_panels', pages: 'panels', structured: true })
]
