import { isAbsolute } from 'node:path'
import { defineError, type AnyOperation } from '../../core/index.js'
import { icons } from './icons.data.js'
import { LANGUAGES, type Language } from '../http/index.js'

type Words = Readonly<Record<string, string>>
/** What a page says, by key. A text that a language lacks is shown in English. */
export type PageTexts = { readonly en: Words } & { readonly [K in Language]?: Words }

/** What is between the rail and the edge of the window. */
export interface PageContent {
  /** Name of a built-in plugin, whose folder `page` is meant, or the absolute path of a folder. */
  readonly files: string
  /** Fragment of HTML in that folder; `{{key}}` stands for a text. @default index.html */
  readonly html?: string
  /** Module in that folder. @default main.js */
  readonly script?: string
  /** Style sheets in that folder. @default all */
  readonly styles?: readonly string[]
  /** Modules that lie elsewhere, by the name that the page imports them by: the absolute path of a file. */
  readonly modules?: Readonly<Record<string, string>>
  /** Sources that the policy allows beyond the usual ones, such as the hash of a style. */
  readonly allow?: Readonly<Record<string, readonly string[]>>
}

/** A page for people, with an entry in the rail. */
export interface ShellPage {
  /** Lower-case letters, digits and hyphens. Its name is the text `ID.title`. */
  readonly id: string
  /** Such as `/queue`. */
  readonly path: string
  /** Name of an icon, or the data of a path on a field of 24 by 24. */
  readonly icon: string
  /** Place in the rail; built-in pages count in tens. */
  readonly order: number
  /** The letter that leads here after `g`. */
  readonly key?: string
  readonly texts: PageTexts
  /** Who may not use this operation gets no entry. */
  readonly operation?: AnyOperation
  /** Left out: the plugin serves the page itself. */
  readonly content?: PageContent
  /** Route that is read by GET for a number beside the entry, and the member of the answer. */
  readonly badge?: { readonly path: string, readonly member: string }
}

/** Declares a page; nothing is read before the service starts. */
export const definePage = (page: ShellPage): ShellPage => Object.freeze(page)

export const BadPage = defineError<[page: string, plugin: string, problem: string]>(
  'PRN_ERR_PAGE', "Page '%s' of plugin '%s': %s")

const ID = /^[a-z][a-z0-9-]{0,39}$/
const PATH = /^\/[a-z][a-z0-9/-]{0,79}$/
const PATH_DATA = /^[MmLlHhVvCcSsQqTtAaZz0-9\s,.-]{4,2000}$/

const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([place]) => place).sort().join()

/** Texts that another language has and English lacks, or whose places differ. */
export const strayTexts = ({ en, ...others }: PageTexts): string[] =>
  Object.entries(others).flatMap(([language, words]) => Object.entries(words)
    .filter(([key, text]) => en[key] === undefined || placesOf(en[key]) !== placesOf(text))
    .map(([key]) => `${language}: ${key}`))

/** Texts that a language lacks. */
export const missingTexts = ({ en, ...others }: PageTexts): string[] =>
  LANGUAGES.filter(language => language !== 'en').flatMap(language =>
    Object.keys(en).filter(key => others[language as 'de']?.[key] === undefined).map(key => `${language}: ${key}`))

function problemOf ({ id, path, icon, order, key, texts, content }: ShellPage): string | undefined {
  if (!ID.test(id)) return 'the id must be lower-case letters, digits and hyphens, 40 at most'
  if (!PATH.test(path)) return 'the path must be one such as /queue'
  if (!Object.hasOwn(icons, icon) && !PATH_DATA.test(icon)) return `there is no icon '${icon}'`
  if (!Number.isFinite(order)) return 'the order must be a number'
  if (key !== undefined && !/^[a-z]$/.test(key)) return 'the key must be one small letter'
  if (texts?.en?.[`${id}.title`] === undefined) return `the text '${id}.title' is missing in English`
  const stray = strayTexts(texts)
  if (stray.length > 0) return `texts do not match the English ones: ${stray.slice(0, 5).join(', ')}`
  const isFolder = content === undefined || ID.test(content.files) || isAbsolute(content.files)
  return isFolder ? undefined : 'files must be an absolute path'
}

/** @throws PRN_ERR_PAGE naming the page and its plugin */
export function checkPages (pages: readonly ShellPage[], originOf: (page: ShellPage) => string): void {
  const seen = new Map<string, ShellPage>()
  for (const page of pages) {
    const names = [page.id, page.path]
    const first = names.map(name => seen.get(name)).find(found => found !== undefined)
    const problem = first ? `plugin '${originOf(first)}' has one of the same id or path` : problemOf(page)
    if (problem !== undefined) throw new BadPage(String(page.id), originOf(page), problem)
    for (const name of names) seen.set(name, page)
  }
}
