import { definePlugin, onceUnlessFailed, pageFilePath } from '../../core/index.js'
import type {} from '../filament/index.js' // the service filaments
import type {} from '../spools/index.js' // the service spools
import { Options } from './options.js'
import { labelsPage, scanPage } from './pages.js'
import routes from './routes.js'
import { SYSTEM_FONTS } from './system-fonts.data.js'
import { openFont, Typeface } from './typeface.js'
import type { Letters } from './types.js'

export type { Letters } from './types.js'

declare module 'prnd' {
  interface Services {
    /** The letters that labels are printed with; read when the first label is drawn. */
    spoolLabels: { readonly typeface: () => Promise<Letters> }
  }
}

const BUILT_IN = ['shell', 'inter.woff2'] as const

async function openTypeface (fonts: readonly string[]): Promise<Letters> {
  const first = await openFont(pageFilePath(...BUILT_IN))
  if (first === undefined) throw new Error(`the font ${BUILT_IN.join('/')} is missing`)
  return new Typeface(first, async () =>
    (await Promise.all([...fonts, ...SYSTEM_FONTS].map(openFont))).filter(font => font !== undefined))
}

/** Printed labels of spools, and what their QR codes lead to. */
export default definePlugin({
  name: 'spool-labels',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Labels of spools with QR codes, as PDF and PNG, and the page that scans them',
  needs: ['filament', 'http', 'spools'],
  provides: ['spoolLabels'],
  uses: ['disk', 'network'],
  options: Options,
  contributes: { routes, pages: [labelsPage, scanPage] },
  setup ({ options, provide }) {
    provide('spoolLabels', { typeface: onceUnlessFailed<Letters>(() => openTypeface(options.fonts)) })
  }
})
