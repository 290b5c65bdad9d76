import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { byText, code, grouped, page, table } from './markdown.js'

const ROOT = join(import.meta.dirname, '..', '..')

/** A package that is installed with ours. */
export interface Package {
  readonly name: string
  readonly version: string
  /** As the package states it; empty where it does not. */
  readonly licence: string
  /** Only on some platforms, or only where it can be installed. */
  readonly optional: boolean
}

/** Licences that go with ours (MIT) without further thought. */
const ALLOWED = new Set(['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'])

interface Exception { readonly names: RegExp, readonly licences: readonly string[], readonly why: string }

/** Looked at one by one. */
const EXCEPTIONS: readonly Exception[] = [
  {
    names: /^@img\/sharp-(libvips|wasm32|win32)/,
    licences: ['LGPL-3.0-or-later'],
    why: 'libraries for pictures, used as they are and in files of their own, which can be replaced'
  },
  {
    names: /^web-push$/,
    licences: ['MPL-2.0'],
    why: 'used as it is, in files of its own; the licence concerns changes to these files only'
  },
  {
    names: /^tweetnacl$/,
    licences: ['Unlicense'],
    why: 'part of the NATS client; in the public domain'
  },
  {
    names: /^qr$/,
    licences: ['(MIT OR Apache-2.0)'],
    why: 'either licence, as one likes'
  },
  {
    names: /^png-js$/,
    licences: [''],
    why: 'part of pdfkit; its file LICENSE is that of MIT, which its manifest does not name'
  }
]

interface Entry {
  readonly version: string
  readonly license?: string
  readonly optional?: boolean
  readonly dev?: boolean
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** What is installed in production, on any platform: from the lock file, so that every machine says the same. */
export function packagesIn (lock: string): Package[] {
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, Entry>> }
  const found = Object.entries(packages).filter(([path, { dev = false }]) => path !== '' && !dev)
    .map(([path, { version, license: licence = '', optional = false }]) => ({ name: nameOf(path), version, licence, optional }))
  const unique = new Map(found.map(one => [`${one.name} ${one.version}`, one]))
  return [...unique.values()].sort(byText(({ name, version }) => `${name} ${version}`))
}

const exceptionFor = ({ name, licence }: Package): Exception | undefined => EXCEPTIONS.find(({ names, licences }) =>
  names.test(name) && licence.split(' AND ').every(part => ALLOWED.has(part) || licences.includes(part)))

/** Packages whose licence nobody has said yes to; every part of one that is joined by AND must be allowed. */
export const refused = (packages: readonly Package[]): Package[] => packages.filter(one =>
  exceptionFor(one) === undefined && !one.licence.split(' AND ').every(part => ALLOWED.has(part)))

const listOf = (packages: readonly Package[]) =>
  packages.map(({ name, version, optional }) => `${code(name)} ${version}${optional ? '°' : ''}`).join(', ')

/** @throws Error that names packages whose licence is not allowed */
export function licencesPage (lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')): string {
  const packages = packagesIn(lock)
  const wrong = refused(packages).map(({ name, version, licence }) => `${name} ${version}: ${licence || 'none'}`)
  if (wrong.length > 0) throw new Error(`licences that are not allowed (docs/generator/licences.ts): ${wrong.join('; ')}`)
  const odd = EXCEPTIONS.map(({ names, why }) => [listOf(packages.filter(({ name }) => names.test(name))), why])
  return page(
    '# Licences',
    'Installed packages by licence, from the lock file. ° marks packages that are platform-specific or ' +
    'optional. This page cannot be generated with a licence that is neither allowed nor reviewed by name.',
    table(['Licence', 'Packages', ''], grouped(packages, ({ licence }) => licence || 'none stated')
      .map(([licence, group]) => [licence, String(group.length), listOf(group)])),
    '## Reviewed by name',
    table(['Packages', 'Why'], odd)
  )
}
