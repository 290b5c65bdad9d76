import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'

/** A member of a declared interface. */
export interface Member {
  readonly name: string
  readonly type: string
  readonly doc: string
  /** What an object written out in place is made of. */
  readonly members: readonly Member[]
}

/** An interface, a type, a function or a constant with its comment. */
export interface Declared {
  readonly name: string
  /** Path from the root of the project. */
  readonly path: string
  readonly doc: string
  readonly members: readonly Member[]
  /** The declaration itself, without comment and without what it is made of. */
  readonly text: string
}

/** Everything that the sources declare on their top level, and what they add to the package's interfaces. */
export interface Sources {
  /** A name as a file of this path would mean it: of its own folder, else of the core. */
  named (name: string, path: string): Declared | undefined
  /** Members of one of the package's interfaces, from the core and from every plugin. */
  added (name: string): readonly (Member & { readonly path: string })[]
  /** Paths of the files in which a text stands. */
  withText (text: RegExp): readonly { readonly path: string, readonly found: readonly string[] }[]
}

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDERS = ['core', 'plugins', 'presets']

const pathsBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map(name => posix.join(folder, name.replaceAll('\\', '/')))
    .filter(path => path.endsWith('.ts') && !path.includes('/page/'))

/** The comment's words, without its tags but with what they say. */
function docOf (node: ts.Node, file: ts.SourceFile): string {
  const [comment] = (ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []).slice(-1)
  const text = comment === undefined ? '' : file.text.slice(comment.pos, comment.end)
  if (!text.startsWith('/**')) return ''
  const words = text.slice(3, -2).replace(/^\s*\* ?/gm, '').replace(/\s+/g, ' ').trim()
  return words.replace(/@(returns|throws|default|param) /g, (_, tag: string) => `${SPOKEN[tag] ?? ''} `)
    .replace(/\s+/g, ' ').replace(/^: /, '').trim()
}

const SPOKEN: Readonly<Record<string, string>> =
  { returns: 'Returns', throws: 'Throws', default: 'Default:', param: 'Takes' }

const textOf = (node: ts.Node, file: ts.SourceFile): string => node.getText(file).replace(/\s+/g, ' ')

/** Members of objects written out in a type, also in one that is made of several. */
function literalMembers (node: ts.TypeNode | undefined, file: ts.SourceFile): Member[] {
  if (node === undefined) return []
  if (ts.isIntersectionTypeNode(node)) return node.types.flatMap(type => literalMembers(type, file))
  return ts.isTypeLiteralNode(node) ? node.members.map(member => memberOf(member, file)) : []
}

function memberOf (node: ts.TypeElement, file: ts.SourceFile): Member {
  const doc = docOf(node, file)
  const optional = node.questionToken ? '?' : ''
  if (ts.isPropertySignature(node)) {
    const type = node.type ? shapeOf(node.type, file) : 'unknown'
    return { name: textOf(node.name, file) + optional, type, doc, members: literalMembers(node.type, file) }
  }
  const name = node.name ? textOf(node.name, file) : ''
  return { name: name + optional, type: textOf(node, file).replace(name, '').replace(/^\??\s*/, ''), doc, members: [] }
}

/** A type in words of the source; comments inside it are for its own page. */
const shapeOf = (node: ts.Node, file: ts.SourceFile): string =>
  node.getText(file).replace(/\/\*\*.*?\*\//gs, '').replace(/\s+/g, ' ')

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

function declaredOf (node: ts.Statement, path: string, file: ts.SourceFile): Declared[] {
  const doc = docOf(node, file)
  if (ts.isInterfaceDeclaration(node)) {
    const heritage = node.heritageClauses?.map(clause => textOf(clause, file)).join(' ') ?? ''
    const members = node.members.map(member => memberOf(member, file))
    return [{ name: node.name.text, path, doc, members, text: heritage }]
  }
  if (ts.isTypeAliasDeclaration(node)) {
    const members = literalMembers(node.type, file)
    return [{ name: node.name.text, path, doc, members, text: members.length > 0 ? '' : shapeOf(node.type, file) }]
  }
  if (ts.isFunctionDeclaration(node) && node.name) {
    return [{ name: node.name.text, path, doc, members: [], text: '' }]
  }
  if (ts.isVariableStatement(node) && isExported(node)) {
    return node.declarationList.declarations.filter(({ name }) => ts.isIdentifier(name))
      .map(({ name }) => ({ name: textOf(name, file), path, doc, members: [], text: '' }))
  }
  return []
}

const isAugmentation = (node: ts.Statement): node is ts.ModuleDeclaration =>
  ts.isModuleDeclaration(node) && node.name.text === 'prnd'

const statementsOf = ({ body }: ts.ModuleDeclaration): readonly ts.Statement[] =>
  body && ts.isModuleBlock(body) ? body.statements : []

const areaOf = (path: string) => path.split('/').slice(0, path.startsWith('core/') ? 1 : 2).join('/')

/** Reads all sources; nothing of them runs. */
export function readSources (): Sources {
  const files = FOLDERS.flatMap(pathsBelow).sort().map(path => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return { path, text, file: ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false) }
  })
  const declared = files.flatMap(({ path, file }) => file.statements.flatMap(node => declaredOf(node, path, file)))
  const augmented = files.flatMap(({ path, file }) => file.statements.filter(isAugmentation)
    .flatMap(statementsOf).flatMap(node => declaredOf(node, path, file)))
  const own = (name: string) => declared.filter(({ name: known, path }) => known === name && path === 'core/kernel/types.ts')
  return {
    named (name, path) {
      const known = declared.filter(entry => entry.name === name)
      return known.find(entry => entry.path === path) ?? known.find(entry => areaOf(entry.path) === areaOf(path)) ??
        known.find(entry => areaOf(entry.path) === 'core')
    },
    added: name => [...own(name), ...augmented.filter(entry => entry.name === name)]
      .flatMap(({ path, members }) => members.map(member => ({ ...member, path }))),
    withText: pattern => files
      .map(({ path, text }) => ({ path, found: [...text.matchAll(pattern)].map(([, first = '']) => first) }))
      .filter(({ found }) => found.length > 0)
  }
}

/** The part of the project a file belongs to, in words: `core`, `plugin climate`, `preset cli`. */
export function ownerOf (path: string): string {
  const [area = '', name = ''] = path.split('/')
  return area === 'core' ? 'core' : `${area.slice(0, -1)} ${name}`
}
