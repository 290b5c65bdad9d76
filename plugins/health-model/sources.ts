import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CATALOGUE, type Published } from './catalogue.data.js'

const MOST_FILES = 10

/** The published network of a name, unless it is the name of a file. */
export const publishedNamed = (source: string, all = CATALOGUE): Published | undefined =>
  all.find(({ name }) => name === source.toLowerCase())

const MIB = 1_048_576
/** What someone agrees to before a published network is fetched. */
export const consentText = ({ name, about, publisher, address, bytes, ...legal }: Published): readonly string[] => [
  `${name}: ${about}`,
  `  publisher: ${publisher}`,
  `  address:   ${address} (${(bytes / MIB).toFixed(0)} MiB)`,
  `  licence:   ${legal.licence}. ${legal.terms}`
]

/** The networks in a folder, or the one file. @throws when a folder holds none, or too many */
export async function sourcesIn (source: string): Promise<readonly string[]> {
  const isFolder = (await stat(source).catch(() => undefined))?.isDirectory() ?? false
  if (!isFolder) return [source]
  const files = (await readdir(source)).filter(name => /\.onnx$/i.test(name)).sort().map(name => join(source, name))
  if (files.length === 0) throw new Error(`There is no .onnx file in ${source}`)
  if (files.length > MOST_FILES) {
    throw new Error(`There are ${files.length} networks in ${source}, and at most ${MOST_FILES} are added at once`)
  }
  return files
}
