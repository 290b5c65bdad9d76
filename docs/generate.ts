// `npm run docs`: prints docs/reference and llms.txt. With --check it only says what is stale, and fails if any is.
import { join } from 'node:path'
import { bring, compare } from './generator/folder.js'
import { printReference } from './generator/index.js'
import { llmsPage } from './generator/llms.js'

const ROOT = join(import.meta.dirname, '..')

/** The second is made from what the first has printed. */
const places = [
  { name: 'docs/reference', print: printReference },
  { name: '.', print: async () => ({ 'llms.txt': llmsPage() }) }
]

for (const { name, print } of places) {
  const isCheck = process.argv.includes('--check')
  const { stale, left } = await (isCheck ? compare : bring)(join(ROOT, name), await print())
  const changed = [...stale, ...left.map(page => `${page} (removed)`)].map(page => join(name, page))
  if (!isCheck) {
    console.log(changed.length === 0 ? `${name === '.' ? 'llms.txt' : name} is up to date.` : `Printed ${changed.join(', ')}.`)
  } else if (changed.length > 0) {
    console.error(`${changed.join(', ')}: stale, run npm run docs`)
    process.exitCode = 1
  }
}
