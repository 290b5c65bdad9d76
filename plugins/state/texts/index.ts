import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** What each condition of a printer is called, on pages and in pictures. */
export const conditionTexts = { en, de, zh }
