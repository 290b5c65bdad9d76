// `npm run docs`: prints docs/reference. With --check it only says what is stale, and fails if anything is.
import { join } from 'node:path'
import { bring, compare } from './generator/folder.js'
import { printReference } from './generator/index.js'

const FOLDER = join(import.meta.dirname, 'reference')

const pages = await printReference()
if (process.argv.includes('--check')) {
  const { stale, left } = await compare(FOLDER, pages)
  for (const name of [...stale, ...left]) console.error(`docs/reference/${name} is stale: run npm run docs`)
  process.exitCode = stale.length + left.length === 0 ? 0 : 1
} else {
  const { stale, left } = await bring(FOLDER, pages)
  const changed = [...stale, ...left.map(name => `${name} (removed)`)]
  console.log(changed.length === 0 ? 'docs/reference is up to date.' : `Printed docs/reference: ${changed.join(', ')}.`)
}
