import type { IncomingHttpHeaders } from 'node:http'

/** Languages of the pages; the first is spoken where none of them is asked for. */
export const LANGUAGES = ['en', 'de', 'zh'] as const
export type Language = typeof LANGUAGES[number]
export type Theme = 'light' | 'dark' | ''

/** How a person wants to see the pages. */
export interface Look {
  readonly language: Language
  /** Empty: as the system has it. */
  readonly theme: Theme
}

const LONGEST_HEADER = 4_096
const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text)

/** The value of a cookie of letters; the pages set no others. */
const cookieOf = (cookies: string, name: string): string =>
  new RegExp(`(?:^|;\\s*)${name}=([a-z]{1,10})(?:;|$)`).exec(cookies.slice(0, LONGEST_HEADER))?.[1] ?? ''

/** The first language that is understood, in the browser's order. */
function languageOf (accepted: string): Language {
  const wanted = accepted.slice(0, LONGEST_HEADER).split(',').map(part => {
    const [tag = '', ...rest] = part.trim().toLowerCase().split(';')
    const quality = /^\s*q=([\d.]+)/.exec(rest.join(';'))?.[1]
    return { language: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) }
  })
  const sorted = wanted.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  return sorted.map(({ language }) => language).find(isLanguage) ?? LANGUAGES[0]
}

/** A person's choice is kept in cookies; without one the browser decides. */
export function lookOf ({ cookie = '', 'accept-language': accepted = '' }: IncomingHttpHeaders): Look {
  const chosen = cookieOf(cookie, 'prnd-language')
  const theme = cookieOf(cookie, 'prnd-theme')
  return {
    language: isLanguage(chosen) ? chosen : languageOf(accepted),
    theme: theme === 'light' || theme === 'dark' ? theme : ''
  }
}
