import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** Texts of the login page about a login with a provider. */
export const openIdTexts = { en, de, zh }
export type OpenIdTexts = Readonly<typeof openIdTexts.en>
