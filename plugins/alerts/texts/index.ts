import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** Titles of alert types, on pages and in messages. */
export const alertTexts = { en, de, zh }
