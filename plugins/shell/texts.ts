import { slotTexts, type Language, type PageTexts, type ShellPage } from '../../core/index.js'
import { alertTexts } from '../alerts/index.js'
import { conditionTexts } from '../state/index.js'
import de from './texts/de.json' with { type: 'json' }
import en from './texts/en.json' with { type: 'json' }
import zh from './texts/zh.json' with { type: 'json' }

/** Texts of the shell, and those that several pages share. */
export const shellTexts = {
  en: { ...en, ...conditionTexts.en, ...alertTexts.en, ...slotTexts.en },
  de: { ...de, ...conditionTexts.de, ...alertTexts.de, ...slotTexts.de },
  zh: { ...zh, ...conditionTexts.zh, ...alertTexts.zh, ...slotTexts.zh }
} satisfies PageTexts

const inLanguage = ({ en, ...others }: PageTexts, language: Language): Readonly<Record<string, string>> =>
  language === 'en' ? en : { ...en, ...others[language] }

/** The texts of one page, those of the shell, and the names of all pages. */
export function textsOf (pages: readonly ShellPage[], page: ShellPage, language: Language): Record<string, string> {
  const titles = pages.map(({ id, texts }) => [`${id}.title`, inLanguage(texts, language)[`${id}.title`] ?? id])
  return { ...inLanguage(shellTexts, language), ...inLanguage(page.texts, language), ...Object.fromEntries(titles) }
}
