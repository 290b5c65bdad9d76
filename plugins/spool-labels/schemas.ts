import { Type } from 'typebox'
import { SHEETS } from './sheets.data.js'

const Pair = (description: string) => Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description })

export const SheetView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  page_mm: Pair('Width and height of the page'),
  label_mm: Pair('Width and height of a label'),
  columns: Type.Integer(),
  rows: Type.Integer(),
  first_mm: Pair('Left and top of the first label'),
  pitch_mm: Pair('From one label to the next, right and down')
}, { 'x-name': 'LabelSheet' })

export const ListView = Type.Object({
  address: Type.String({ description: 'Where QR codes lead: this, `/spools/`, and the id' }),
  sheets: Type.Array(SheetView),
  unprintable: Type.Array(Type.Object({ spool: Type.String(), letters: Type.String() }), {
    description: 'Spools whose texts have letters that no font has; a box is printed instead'
  })
})

/** Labels in one file. */
export const MOST_LABELS = 200
export const MOST_START = 100

export const LabelsInput = Type.Object({
  ids: Type.String({ default: '', maxLength: 8_000, description: 'Ids of spools in order, with commas between; empty: all spools' }),
  sheet: Type.Enum(SHEETS.map(({ id }) => id), { default: 'avery-l7160', description: 'Id of the sheet, or of the size of single labels' }),
  start: Type.Integer({ default: 1, minimum: 1, maximum: MOST_START, description: 'Position of the first label, for a sheet of which labels were used' }),
  format: Type.Enum(['pdf', 'png'], { default: 'pdf', description: '`png`: a picture of one page' }),
  page: Type.Integer({ default: 1, minimum: 1, maximum: 200, description: 'Which page, for a picture' }),
  dpi: Type.Integer({ default: 300, minimum: 50, maximum: 600, description: 'Pixels per inch of a picture' }),
  outlines: Type.Boolean({ default: false, description: 'Show where the labels are, to try a sheet on paper' })
})

export const LabelsOutput = Type.Object({
  type: Type.String(),
  name: Type.String(),
  pages: Type.Integer(),
  file: Type.Unsafe<Buffer>({})
})
