import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'

const POSITION = /[^\s('"]*\/bundle\.cjs:(\d+):(\d+)/g

/**
 * Names sources and their lines in the place of those of the bundle.
 * @param map path of the bundle's source map, which is read when it is needed
 * @param root what paths are told relative to
 */
export function createPositions (map, root) {
  let sources
  return text => text.replace(POSITION, (position, line, column) => {
    sources ??= new SourceMap(JSON.parse(readFileSync(map, 'utf8')))
    const { originalSource, originalLine, originalColumn } = sources.findEntry(line - 1, column - 1)
    if (originalSource === undefined) return position
    return `${relative(root, join(dirname(map), originalSource))}:${originalLine + 1}:${originalColumn + 1}`
  })
}
