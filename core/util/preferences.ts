import type { IncomingHttpHeaders } from 'node:http'

/** Languages of the pages; the first is the fallback. */
export const LANGUAGES = ['en', 'de', 'zh'] as const
export type Language = typeof LANGUAGES[number]
export type Theme = 'light' | 'dark' | ''

/** Language and theme in which a person sees the pages. */
export interface Preferences {
  readonly language: Language
  /** Empty follows the system's setting. */
  readonly theme: Theme
}

const LONGEST_HEADER = 4_096
const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text)

/** The value of a cookie that consists of letters; the pages set no others. */
const cookieOf = (cookies: string, name: string): string =>
  new RegExp(`(?:^|;\\s*)${name}=([a-z]{1,10})(?:;|$)`).exec(cookies.slice(0, LONGEST_HEADER))?.[1] ?? ''

/** The first supported language, in the browser's order of preference. */
function languageOf (accepted: string): Language {
  const wanted = accepted.slice(0, LONGEST_HEADER).split(',').map(part => {
    const [tag = '', ...rest] = part.trim().toLowerCase().split(';')
    const quality = /^\s*q=([\d.]+)/.exec(rest.join(';'))?.[1]
    return { language: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) }
  })
  const sorted = wanted.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  return sorted.map(({ language }) => language).find(isLanguage) ?? LANGUAGES[0]
}

/** The choice is stored in cookies; without them the browser's language counts. */
export function preferencesOf ({ cookie = '', 'accept-language': accepted = '' }: IncomingHttpHeaders): Preferences {
  const chosen = cookieOf(cookie, 'prnd-language')
  const theme = cookieOf(cookie, 'prnd-theme')
  return {
    language: isLanguage(chosen) ? chosen : languageOf(accepted),
    theme: theme === 'light' || theme === 'dark' ? theme : ''
  }
}
