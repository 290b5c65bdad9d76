import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { defineError, LANGUAGES, type PageTexts, type ShellPage } from '../../core/index.js'
import { icons } from './icons.data.js'

export const BadPage = defineError<[page: string, plugin: string, problem: string]>(
  'PRN_ERR_PAGE', "Page '%s' of plugin '%s': %s")

const ID = /^[a-z][a-z0-9-]{0,39}$/
const PATH = /^\/[a-z][a-z0-9/-]{0,79}$/
const PATH_DATA = /^[MmLlHhVvCcSsQqTtAaZz0-9\s,.-]{4,2000}$/

/** Most texts have no placeholder, and there are thousands of texts to compare at each start. */
const placesOf = (text: string) =>
  text.includes('{') ? [...text.matchAll(/\{(\w+)\}/g)].map(([place]) => place).sort().join() : ''

/** Texts that English lacks, or whose placeholders differ from the English ones. */
export const strayTexts = ({ en, ...others }: PageTexts): string[] =>
  Object.entries(others).flatMap(([language, words]) => Object.entries(words)
    .filter(([key, text]) => en[key] === undefined || placesOf(en[key]) !== placesOf(text))
    .map(([key]) => `${language}: ${key}`))

/** Texts that are missing in a language. */
export const missingTexts = ({ en, ...others }: PageTexts): string[] =>
  LANGUAGES.filter(language => language !== 'en').flatMap(language =>
    Object.keys(en).filter(key => others[language as 'de']?.[key] === undefined).map(key => `${language}: ${key}`))

function problemOf ({ id, path, icon, order, within, key, texts, content }: ShellPage): string | undefined {
  if (!ID.test(id)) return 'the id must be lower-case letters, digits and hyphens, 40 at most'
  if (!PATH.test(path)) return 'the path must be one such as /queue'
  if (!Object.hasOwn(icons, icon) && !PATH_DATA.test(icon)) return `there is no icon '${icon}'`
  if (!Number.isFinite(order)) return 'the order must be a number'
  if (within !== undefined && !ID.test(within)) return 'within must be the id of a page'
  if (key !== undefined && !/^[a-z]$/.test(key)) return 'the key must be one lower-case letter'
  if (texts?.en?.[`${id}.title`] === undefined) return `the text '${id}.title' is missing in English`
  const stray = strayTexts(texts)
  if (stray.length > 0) return `texts do not match the English ones: ${stray.slice(0, 5).join(', ')}`
  if (content === undefined || ID.test(content.files)) return undefined
  const { files, html = 'index.html' } = content
  if (!isAbsolute(files)) return 'files must be an absolute path'
  return existsSync(join(files, html)) ? undefined : `there is no file ${join(files, html)}`
}

/** @throws PRN_ERR_PAGE naming the page and its plugin */
export function checkPages (pages: readonly ShellPage[], originOf: (page: ShellPage) => string): void {
  const seen = new Map<string, ShellPage>()
  for (const page of pages) {
    const names = [page.id, page.path]
    const first = names.map(name => seen.get(name)).find(found => found !== undefined)
    const problem = first ? `plugin '${originOf(first)}' has one of the same id or path` : problemOf(page)
    const plugin = originOf(page)
    if (problem !== undefined) throw new BadPage(String(page.id), plugin, problem).with({ plugins: [plugin] })
    for (const name of names) seen.set(name, page)
  }
}
