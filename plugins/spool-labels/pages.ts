import { createRequire } from 'node:module'
import { definePage } from '../../core/index.js'
import { drawLabels } from './operations.js'
import { texts } from './texts/index.js'

const { resolve } = createRequire(import.meta.url)

export const labelsPage = definePage({
  id: 'spool-labels',
  path: '/spools/labels',
  icon: 'file',
  order: 36,
  within: 'spools',
  texts,
  operation: drawLabels,
  content: { files: 'spool-labels', html: 'labels.html', script: 'labels.js', styles: ['labels.css'] }
})

/** Where the QR code of a label leads. */
export const scanPage = definePage({
  id: 'spool-scan',
  path: '/spools/scan',
  icon: 'camera',
  order: 37,
  within: 'spools',
  texts,
  content: {
    files: 'spool-labels',
    html: 'scan.html',
    script: 'scan.js',
    styles: ['labels.css'],
    // the decoder imports the encoder beside it
    modules: { 'qr-decode': resolve('qr/decode.js'), 'qr-encode': resolve('qr') }
  }
})
