// npm run health:train-network -- --pictures FOLDER --out FOLDER [--small]
//
// Trains a network that sees tangles in a single picture; README.md beside this file says how and from what. It goes on
// where it was stopped. --small takes 2 % of everything, to try it in some minutes: what comes out is good for nothing.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkPython } from './requirements.js'
import { stepsOf, type Recipe } from './steps.js'

const SMALL_SHARE = 0.02

interface Progress { readonly share: number, readonly done: readonly string[] }

function recipeOf (args: readonly string[]): Recipe {
  const { values } = parseArgs({
    args: [...args],
    options: { pictures: { type: 'string' }, out: { type: 'string' }, small: { type: 'boolean', default: false } }
  })
  const { pictures = '', out = '', small } = values
  if (pictures === '' || out === '') throw new Error('Name the folders: --pictures FOLDER --out FOLDER')
  if (!existsSync(join(pictures, 'manifest.json'))) throw new Error(`There is no manifest.json in ${pictures}; README.md describes it`)
  return { pictures: resolve(pictures), out: resolve(out), share: small ? SMALL_SHARE : 1 }
}

/** What is done already. @throws when that was begun with another share of the data */
async function readProgress (path: string, { out, share }: Recipe): Promise<Progress> {
  if (!existsSync(path)) return { share, done: [] }
  const progress = JSON.parse(await readFile(path, 'utf8')) as Progress
  if (progress.share !== share) throw new Error(`${out} was begun ${share === 1 ? 'with' : 'without'} --small. Choose another folder.`)
  return progress
}

async function main (): Promise<void> {
  const recipe = recipeOf(process.argv.slice(2))
  await checkPython()
  await mkdir(recipe.out, { recursive: true })
  const path = join(recipe.out, 'progress.json')
  let progress = await readProgress(path, recipe)
  const steps = stepsOf(recipe)
  const left = steps.filter(({ title }) => !progress.done.includes(title))
  const minutes = left.reduce((sum, step) => sum + step.minutes, 0)
  console.log(`${left.length} of ${steps.length} steps, about ${Math.ceil(minutes * recipe.share)} minutes of two cores`)
  for (const { title, run } of left) {
    console.log(`\n${steps.findIndex(step => step.title === title) + 1}. ${title}`)
    const begun = performance.now()
    await run()
    console.log(`${Math.round((performance.now() - begun) / 1000)} s`)
    progress = { ...progress, done: [...progress.done, title] }
    await writeFile(path, JSON.stringify(progress))
  }
  console.log(`\nThe network is ${join(recipe.out, 'network.onnx')}, its figures are in ${join(recipe.out, 'figures')}`)
}

await main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
