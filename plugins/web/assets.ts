import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the page. */
export interface Asset { readonly name: string, readonly type: string, readonly text: string }

export interface Assets {
  readonly files: readonly Asset[]
  /** Follows the content of all of them: it stands in their addresses, so browsers may keep them for good. */
  readonly mark: string
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8'
}

const HERE = dirname(fileURLToPath(import.meta.url))
/** Beside the source; beside the built plugin; seen from a chunk that several built plugins share. */
const PLACES = ['page', join('..', 'plugins', 'web', 'page'), join('..', '..', 'plugins', 'web', 'page')]

function pageFolder (): string {
  const found = PLACES.map(place => join(HERE, place)).find(place => existsSync(join(place, 'main.js')))
  if (found === undefined) throw new Error('the files of the web page are missing; build or install again')
  return found
}

const typeOf = (name: string) => TYPES[name.slice(name.lastIndexOf('.') + 1)]

async function ownFiles (): Promise<Asset[]> {
  const folder = pageFolder()
  const names = (await readdir(folder)).filter(name => typeOf(name) !== undefined).sort()
  return await Promise.all(names.map(async name =>
    ({ name, type: typeOf(name) ?? '', text: await readFile(join(folder, name), 'utf8') })))
}

/** The modules of packages that the page uses, by the name it imports them by: an entry, and the file beside it. */
const MODULES: Readonly<Record<string, readonly [entry: string, file: string]>> = {
  'preact.js': ['preact', 'preact.module.js'],
  'hooks.js': ['preact/hooks', 'hooks.module.js'],
  'htm.js': ['htm', 'htm.module.js']
}

/** Browsers know no packages by name, and maps for that would have to stand in the page itself. */
const asBrowserModule = (text: string) => text
  .replaceAll(/\bfrom\s*(["'])preact\1/g, 'from"./preact.js"')
  .replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n')

async function packageFiles (): Promise<Asset[]> {
  const { resolve } = createRequire(import.meta.url)
  return await Promise.all(Object.entries(MODULES).map(async ([name, [entry, file]]) => {
    const path = join(dirname(resolve(entry)), file)
    return { name, type: typeOf(name) ?? '', text: asBrowserModule(await readFile(path, 'utf8')) }
  }))
}

const markOf = (files: readonly Asset[]): string => {
  const hash = createHash('sha256')
  for (const { name, text } of files) hash.update(`${name}\n${text.length}\n${text}`)
  return hash.digest('hex').slice(0, 16)
}

/** Reads everything that the page is made of. */
export async function loadAssets (): Promise<Assets> {
  const files = (await Promise.all([ownFiles(), packageFiles()])).flat()
  return { files, mark: markOf(files) }
}
