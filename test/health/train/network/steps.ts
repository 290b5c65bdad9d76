import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { drawBackgrounds } from './backgrounds.js'
import { fetchBaseWeights } from './base-weights.js'
import { createFeatureExtractor } from './features.js'
import { provideRuntime } from './requirements.js'
import { runPython } from './run-program.js'

export interface Recipe {
  readonly pictures: string
  readonly out: string
  /** Of the data and of the steps of training: 0 to 1. */
  readonly share: number
}

export interface Step {
  readonly title: string
  /** On two cores that do nothing else, for all the data. */
  readonly minutes: number
  run (): Promise<void>
}

const CHUNKS = 12
const SMALL_CHUNKS = 2
const CANVASES_IN_CHUNK = 1000
/** One for each core. */
const WORKERS = 2
const SEED = 1
const TRAINING_STEPS = 2500

/** Sources with many failing pictures. Each judges a head that has seen none of them. */
const JUDGES = ['Prottos', 'alexmoor527', 'p3rc1va1']
/** All sources with good pictures. Such a head has not seen these either: a judge needs good pictures too. */
const GOOD_SOURCES = ['lorenzozaccomer', 'MRV1N2']

/** Make probabilities of logits, so that nine in ten pictures of good generated prints score below 0.6. */
const [LOGIT_SCALE, LOGIT_SHIFT] = [1.8, -1.8]

/** Calls a function for every item, several at a time. */
async function forEach<Item> (items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  await Promise.all(Array.from({ length: WORKERS }, async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }))
}

const foldersOf = (out: string) => ({
  weights: join(out, 'base-weights'),
  baseNetwork: join(out, 'base-network.onnx'),
  canvases: join(out, 'canvases'),
  evaluation: join(out, 'evaluation'),
  heads: join(out, 'heads'),
  figures: join(out, 'figures')
})

const extractorOf = async (out: string) =>
  await createFeatureExtractor(await provideRuntime(join(out, 'runtime')), foldersOf(out).baseNetwork)

/** Composes chunks of canvases. Only their features stay: the pictures would take 6 GB more. */
async function composeChunks ({ pictures, out, share }: Recipe): Promise<void> {
  const { canvases } = foldersOf(out)
  const chunks = share === 1 ? CHUNKS : SMALL_CHUNKS
  const count = Math.ceil(share * CHUNKS * CANVASES_IN_CHUNK / chunks)
  const extract = await extractorOf(out)
  await mkdir(canvases, { recursive: true })
  await forEach(Array.from({ length: chunks }, (_, at) => at), async chunk => {
    const name = join(canvases, `chunk-${chunk}`)
    if (existsSync(`${name}-features.f16`)) return
    await runPython('canvases.py', pictures, out, chunk * CANVASES_IN_CHUNK, count, name)
    await extract(name)
    await rm(`${name}-canvases.npy`)
    console.log(`chunk ${chunk} of 0 to ${chunks - 1}`)
  })
}

async function prepareEvaluation ({ pictures, out, share }: Recipe): Promise<void> {
  const { evaluation } = foldersOf(out)
  await runPython('evaluation_set.py', pictures, out, evaluation, share)
  const extract = await extractorOf(out)
  const files = (await readdir(evaluation)).filter(file => file.endsWith('-canvases.npy'))
  await forEach(files.map(file => join(evaluation, file)), async path => {
    await extract(path.replace('-canvases.npy', ''))
    await rm(path)
  })
}

async function judgeBySource ({ pictures, out, share }: Recipe, source: string): Promise<void> {
  const { canvases, evaluation, heads, figures } = foldersOf(out)
  const heldOut = [source, ...GOOD_SOURCES].join(',')
  const head = join(heads, `without-${source}.pt`)
  await Promise.all([heads, figures].map(folder => mkdir(folder, { recursive: true })))
  await runPython('train.py', pictures, canvases, heldOut, Math.ceil(share * TRAINING_STEPS), head, SEED)
  await runPython('evaluate.py', pictures, evaluation, head, heldOut, join(figures, `${source}.json`))
}

async function trainWithAll ({ pictures, out, share }: Recipe): Promise<void> {
  const { weights, canvases, heads } = foldersOf(out)
  const head = join(heads, 'all.pt')
  await mkdir(heads, { recursive: true })
  await runPython('train.py', pictures, canvases, 'none', Math.ceil(share * TRAINING_STEPS), head, SEED)
  await runPython('export.py', weights, head, join(out, 'network.onnx'), LOGIT_SCALE, LOGIT_SHIFT)
}

/** All steps, in their order. */
export function stepsOf (recipe: Recipe): Step[] {
  const { pictures, out, share } = recipe
  const { weights, baseNetwork } = foldersOf(out)
  const step = (title: string, minutes: number, run: () => Promise<void>): Step => ({ title, minutes, run })
  return [
    step('fetch the weights of the base network', 1, () => fetchBaseWeights(weights)),
    step('export the base network', 0.5, () => runPython('base_network.py', weights, baseNetwork)),
    step('draw chambers', 2, () => drawBackgrounds(join(out, 'backgrounds'), share)),
    step('cut tangles out of pictures', 2, () => runPython('cutouts.py', pictures, join(out, 'cutouts'), share)),
    step('compose canvases, extract features', 14, () => composeChunks(recipe)),
    step('prepare the pictures that judge', 3, () => prepareEvaluation(recipe)),
    ...JUDGES.map(source => step(`train without ${source}, judge by it`, 5, () => judgeBySource(recipe, source))),
    step('train with all and export', 5, () => trainWithAll(recipe))
  ]
}
