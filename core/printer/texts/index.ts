import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** What slots are called, on pages, in messages, in a terminal and in Home Assistant. */
export const slotTexts = { en, de, zh }
