import { Type, type Static } from 'typebox'
import { operation } from '../../core/index.js'
import type { Shape } from './draw-label.js'
import { NoSpoolToLabel, NoSuchPage } from './errors.js'
import { chosenSpools, contentOf } from './label-content.js'
import { renderPdf, renderPng } from './render-pages.js'
import { LabelsInput, LabelsOutput, ListView, type SheetView } from './schemas.js'
import { SHEETS, type Sheet } from './sheets.data.js'

const view = ({ id, name, page, label, columns, rows, first, pitch }: Sheet): Static<typeof SheetView> => ({
  id, name, page_mm: [...page], label_mm: [...label], columns, rows, first_mm: [...first], pitch_mm: [...pitch]
})

/** Loaded with the first label, as most services print none. */
const loadDrawing = async () => ({ ...await import('./draw-label.js'), ...await import('./lay-out-sheet.js') })

export const listSheets = operation({
  name: 'spool-labels.list',
  summary: 'Sheets and sizes of labels, and letters that cannot be printed on them',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: ListView,
  async run ({ services: { spools, filaments, spoolLabels }, baseUrl }) {
    await spools.known()
    const face = await spoolLabels.typeface()
    const { textsOf } = await loadDrawing()
    const types = await spools.inventory.typesBySpool()
    const texts = spools.all().map(spool => {
      const content = contentOf(spool, types.get(spool.id), filaments, baseUrl)
      return { spool: spool.id, text: Object.values(textsOf(content)).join('') }
    })
    const missing = new Set(await face.prepare(texts.map(({ text }) => text)))
    const lettersOf = (text: string) => [...new Set(text)].filter(letter => missing.has(letter)).join('')
    return {
      address: baseUrl,
      sheets: SHEETS.map(view),
      unprintable: texts.map(({ spool, text }) => ({ spool, letters: lettersOf(text) })).filter(({ letters }) => letters !== '')
    }
  }
})

const DEFAULT_SHEET = 'avery-l7160'

export const drawLabels = operation({
  name: 'spool-labels.draw',
  summary: 'Labels of spools with their QR codes, as a document or a picture',
  effect: 'read',
  scope: 'daemon',
  input: LabelsInput,
  output: LabelsOutput,
  errors: [NoSpoolToLabel, NoSuchPage],
  async run ({ services: { spools, filaments, spoolLabels }, baseUrl }, input) {
    const { ids = '', sheet: wanted = DEFAULT_SHEET, start = 1, format = 'pdf', page = 1, dpi = 300, outlines = false } = input
    await spools.known()
    const { layOutPage, pagesFor, textsOf } = await loadDrawing()
    const sheet = SHEETS.find(({ id }) => id === wanted) as Sheet
    const types = await spools.inventory.typesBySpool()
    const labels = chosenSpools(spools, ids).map(spool => contentOf(spool, types.get(spool.id), filaments, baseUrl))
    const first = (start - 1) % (sheet.columns * sheet.rows) + 1
    const pages = Math.max(1, pagesFor(sheet, labels.length, first))
    if (page > pages) throw new NoSuchPage(page, pages)
    const face = await spoolLabels.typeface()
    await face.prepare(labels.flatMap(label => Object.values(textsOf(label))))
    const draw = (number: number): Shape[] => layOutPage(face, { sheet, labels, start: first }, number, outlines)
    if (format === 'png') {
      return { type: 'image/png', name: `labels-${page}.png`, pages, file: await renderPng(sheet.page, draw(page), dpi) }
    }
    const drawn = function * () { for (let number = 1; number <= pages; number++) yield draw(number) }
    return { type: 'application/pdf', name: 'labels.pdf', pages, file: await renderPdf(sheet.page, drawn()) }
  }
})
