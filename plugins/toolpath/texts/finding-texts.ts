import de from './findings/de.json' with { type: 'json' }
import en from './findings/en.json' with { type: 'json' }
import zh from './findings/zh.json' with { type: 'json' }

/** Texts of findings, for every page that shows them by `findingWords`. */
export const findingTexts = { en, de, zh }
