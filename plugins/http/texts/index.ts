import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** Texts of the login page, which cannot load those of other pages. */
export const loginTexts = { en, de, zh }
export type LoginTexts = Readonly<typeof loginTexts.en>
