import type { AnyOperation } from '../kernel/types.js'
import type { Language } from '../util/preferences.js'

declare module 'prnd' {
  interface Contributions { pages: ShellPage }
}

type Words = Readonly<Record<string, string>>
/** Texts of a page, by key. One that a language lacks is shown in English. */
export type PageTexts = { readonly en: Words } & { readonly [K in Language]?: Words }

/** The content of a page, to the right of the navigation rail. */
export interface PageContent {
  /** Name of a built-in plugin, for its folder `page`, or the absolute path of a folder. */
  readonly files: string
  /** HTML fragment in that folder; `{{key}}` is replaced by a text. @default index.html */
  readonly html?: string
  /** Module in that folder. @default main.js */
  readonly script?: string
  /** Style sheets in that folder. @default all */
  readonly styles?: readonly string[]
  /** Modules outside that folder: absolute path of the file by the name that the page imports. */
  readonly modules?: Readonly<Record<string, string>>
  /**
   * Sources that the content security policy allows additionally, such as the hash of a style. `'none'` alone closes
   * what is open otherwise.
   */
  readonly allow?: Readonly<Record<string, readonly string[]>>
}

/** A page with an entry in the navigation rail, or beside the pages of one area. */
export interface ShellPage {
  /** Lower-case letters, digits and hyphens. The page's title is the text `ID.title`. */
  readonly id: string
  /** Such as `/queue`. */
  readonly path: string
  /** It is also served at one address below its own, such as `/queue/ID`, for what that names. */
  readonly hasDetails?: boolean
  /** Name of an icon, or the data of an SVG path in a 24 by 24 view box. */
  readonly icon: string
  /** Position in the rail; built-in pages use multiples of ten. */
  readonly order: number
  /** Id of the page that lists this one beside its content, such as `settings`: the rail shows only that one. */
  readonly within?: string
  /** Without an entry: users come here from other pages. */
  readonly unlisted?: boolean
  /** Keyboard shortcut: this letter after `g`. */
  readonly key?: string
  readonly texts: PageTexts
  /** Callers without access to this operation see no entry. */
  readonly operation?: AnyOperation
  /** Omitted if the plugin serves the page itself. */
  readonly content?: PageContent
  /** A route that is read by GET for a number next to the entry, and the member of its answer. */
  readonly badge?: { readonly path: string, readonly member: string }
}

/** Declares a page; nothing is read before the service starts. */
export const definePage = (page: ShellPage): ShellPage => Object.freeze(page)
