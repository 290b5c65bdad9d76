import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

export const texts = { en, de, zh }
