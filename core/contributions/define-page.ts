import type { AnyOperation } from '../kernel/types.js'
import type { Language } from '../util/preferences.js'

declare module 'prnd' {
  interface Contributions { pages: ShellPage }
}

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
