import { readFile, readdir } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')

/** Files that are named by the kind of their exports, and folders in which files are named by their subject. */
const KINDS = [
  /\.(d|data)\.ts$/,
  /[/-](commands|constants|errors|limits|operations|queries|resource|routes|schemas|tables|texts|tools|types)\.ts$/,
  /\/(index|main)\.ts$/,
  /\/(commands|operations|page|routes|texts)\//
]

/** Paths that are allowed to break the rule, each with its reason. Remove them as files are renamed; add none. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'plugins/emulator/models/legacy.ts': 'a family of printers',
  'plugins/emulator/models/modern.ts': 'a family of printers'
}

const LISTED = /^export (?:type )?\{([^}]*)\}/gm
const DECLARED = /^export (?:default )?(?:abstract )?(?:async )?(?:class|const|enum|function|interface|let|type)\*? (\w+)/gm

const exportsOf = (text: string): string[] => [
  ...[...text.matchAll(DECLARED)].map(([, name = '']) => name),
  ...[...text.matchAll(LISTED)].flatMap(([, names = '']) => names.split(',').map(name => name.trim().split(' as ').at(-1) ?? ''))
]

/** Words of a name, by their first four letters. */
const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map(word => word.slice(0, 4).toLowerCase())

/** `viewers` and `Viewer`, `boxes` and `box` are the same word. */
const isSameWord = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) > 2 && (a.startsWith(b) || b.startsWith(a)))

const sharesWord = (path: string, exported: readonly string[]): boolean => {
  const words = wordsOf(basename(path, '.ts'))
  return exported.flatMap(wordsOf).some(word => words.some(own => isSameWord(word, own)))
}

t.test("a file's exports share a word with its name", async t => {
  const paths = (await Promise.all(['core', 'plugins', 'presets'].map(async folder =>
    (await readdir(join(ROOT, folder), { recursive: true })).map(name => posix.join(folder, name.replaceAll('\\', '/')))))).flat()
    .filter(path => path.endsWith('.ts') && !KINDS.some(kind => kind.test(path)))
  const broken = (await Promise.all(paths.map(async path => {
    const exported = exportsOf(await readFile(join(ROOT, path), 'utf8'))
    return exported.length === 0 || sharesWord(path, exported) ? [] : [path]
  }))).flat()
  t.ok(paths.length > 500, `${paths.length} files`)
  t.same(broken.filter(path => !(path in EXCEPTIONS)), [], 'name the file or the export by what it is')
  t.same(Object.keys(EXCEPTIONS).filter(path => !broken.includes(path)), [], 'these are no exceptions any more')
})
