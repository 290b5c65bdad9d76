import { definePage, pageFilePath, type ShellPage } from '../../core/index.js'
import { warningTexts } from '../projects/index.js'
import { findingTexts } from '../toolpath/index.js'
import { texts } from './texts/index.js'

/** The page of one printer. */
export const printerPage = (): ShellPage => definePage({
  id: 'printer',
  path: '/printer',
  icon: 'printer',
  order: 20,
  key: 'p',
  texts: {
    en: { ...texts.en, ...findingTexts.en, ...warningTexts.en },
    de: { ...texts.de, ...findingTexts.de, ...warningTexts.de },
    zh: { ...texts.zh, ...findingTexts.zh, ...warningTexts.zh }
  },
  content: {
    files: 'web',
    styles: ['base.css', 'layout.css', 'parts.css', 'health.css', 'move.css'],
    modules: { 'camera-player': pageFilePath('camera', 'player.js') }
  }
})
