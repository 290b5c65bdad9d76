import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import { findingTexts } from './finding-texts.js'
import zh from './zh.json' with { type: 'json' }

export { findingTexts } from './finding-texts.js'

export const texts = {
  en: { ...en, ...findingTexts.en },
  de: { ...de, ...findingTexts.de },
  zh: { ...zh, ...findingTexts.zh }
}
