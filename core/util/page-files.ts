import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files that a page loads, by name. */
export interface PageFiles {
  readonly paths: ReadonlyMap<string, string>
  /** A hash of all contents: it is part of their URLs, so that browsers may cache them permanently. */
  readonly mark: string
}

const HERE = dirname(fileURLToPath(import.meta.url))
/** Parent of the plugins' folders, relative to a chunk of the bundler, and to this file. */
const PARENTS = [join('..', 'plugins'), join('..', '..', 'plugins')]

/**
 * Files that a plugin sends to browsers are in its folder `page`, uncompiled, next to its source and in the build.
 * @param plugin name of a built-in one, or the path of a folder
 */
function pageFolder (plugin: string): string {
  if (isAbsolute(plugin)) return plugin
  const found = PARENTS.map(parent => join(HERE, parent, plugin, 'page')).find(folder => existsSync(folder))
  if (found === undefined) throw new Error(`the files of the ${plugin} page are missing; build or install again`)
  return found
}

/** Path of a file of a plugin's page. */
export const pageFilePath = (plugin: string, name: string): string => join(pageFolder(plugin), name)

/** The text of one file of a plugin's page. */
export const readPageFile = (plugin: string, name: string): string =>
  readFileSync(pageFilePath(plugin, name), 'utf8')

/** Content types of files that pages load, by extension. */
export const PAGE_FILE_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json'
}

/**
 * Scripts and style sheets of a plugin's page.
 * @param more paths of files elsewhere, served with them
 */
export function findPageFiles (plugin: string, more: readonly string[] = []): PageFiles {
  const folder = pageFolder(plugin)
  const names = readdirSync(folder).filter(name => PAGE_FILE_TYPES[extname(name)] !== undefined).sort()
  const paths = new Map([...names.map(name => join(folder, name)), ...more].map(path => [basename(path), path]))
  const hash = createHash('sha256')
  for (const [name, path] of paths) {
    const text = readFileSync(path)
    hash.update(`${name}\n${text.length}\n`).update(text)
  }
  return { paths, mark: hash.digest('hex').slice(0, 16) }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, character => ENTITIES[character] ?? character)

/**
 * Fills the placeholders `{{name}}` of a document.
 * @param texts are escaped, for elements and attributes alike
 * @param markup is inserted unchanged
 */
export const fillPage = (html: string, texts: Readonly<Record<string, string>>, markup: typeof texts = {}): string =>
  html.replaceAll(/\{\{([\w.-]+)\}\}/g, (_, name: string) => markup[name] ?? escapeHtml(texts[name] ?? ''))
