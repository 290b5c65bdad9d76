import { de } from './de.data.js'
import { en } from './en.data.js'
import { findingTexts } from './finding-texts.js'
import { zh } from './zh.data.js'

export { findingTexts } from './finding-texts.js'

export const texts = {
  en: { ...en, ...findingTexts.en },
  de: { ...de, ...findingTexts.de },
  zh: { ...zh, ...findingTexts.zh }
}
