import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { defaultDataDir, readConfig } from '../../../core/index.js'
import {
  addModel, BOX_FORMATS, BUILT_IN, CATALOGUE, consentText, createInferenceClient, drawBoxes, dropModel, findings, FITS,
  KINDS, knownModels, modelFolder, publishedNamed, runtimeFolder, SCALES, sourcesIn, understood, verifyModel,
  type InferenceClient, type Model, type ModelOverrides, type Published, type StoredModel
} from '../../../plugins/health-model/index.js'
import { ask, type Confirm } from './jobs.js'

interface Place { readonly config?: string }
interface Addition extends Place {
  readonly name?: string
  readonly kind?: string
  readonly boxes?: string
  readonly labels?: readonly string[]
  readonly failing?: readonly string[]
  readonly fit?: string
  readonly size?: string
  readonly scale?: string
  readonly mean?: readonly number[]
  readonly std?: readonly number[]
  readonly threshold?: number
  readonly prototypes?: string
  readonly licence?: string
  readonly yes?: boolean
}

const folderOf = async (file: string | undefined): Promise<string> => {
  const { config } = await readConfig(file)
  return modelFolder(config.dataDir ?? defaultDataDir())
}

async function withClient<T> (folder: string, work: (client: InferenceClient) => Promise<T>): Promise<T> {
  const client = createInferenceClient(runtimeFolder(folder))
  try {
    return await work(client)
  } finally {
    client.close()
  }
}

function oneOf<T extends string> (text: string | undefined, all: readonly T[], option: string): T | undefined {
  const known = all.find(one => one === text)
  if (text !== undefined && known === undefined) throw new Error(`--${option} is one of ${all.join(', ')}`)
  return known
}

/** `640`, or `640x384` for width and height. */
function sizeOf (text: string | undefined): ModelOverrides['size'] {
  if (text === undefined) return undefined
  const [, width, height = width] = /^(\d+)(?:x(\d+))?$/.exec(text) ?? []
  if (width === undefined) throw new Error('--size is a number of pixels, or two such as 640x384')
  return { width: Number(width), height: Number(height) }
}

const MIB = 1_048_576
function print (model: Model): void {
  const { name, bytes, source, sha256, licence, addedAt } = model
  console.log(`${name}:`)
  for (const line of understood(model)) console.log(`  ${line}`)
  console.log(`  licence:  ${licence}`)
  console.log(`  from:     ${source} (${(bytes / MIB).toFixed(1)} MiB, ${addedAt.slice(0, 10)})`)
  console.log(`  checksum: sha256 ${sha256}`)
}

/** The options that were given; the others are read from the file. */
function overridesOf ({ kind, boxes, fit, size, scale, prototypes, config: _config, yes: _yes, ...plain }: Addition) {
  const chosen = {
    kind: oneOf(kind, KINDS, 'kind'),
    boxes: oneOf(boxes, BOX_FORMATS, 'boxes'),
    fit: oneOf(fit, FITS, 'fit'),
    scale: oneOf(scale, SCALES, 'scale'),
    size: sizeOf(size),
    prototypesFrom: prototypes
  }
  return { ...plain, ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)) }
}

const ADDED = 'Added. Try it on pictures of your own: prnd health model test PICTURES. ' +
  'The service uses it from its next start on.'

/** Fetches a published network after its licence, size and address were shown and agreed to. */
async function addPublished (published: Published, { config, yes }: Addition, confirm: Confirm): Promise<boolean> {
  for (const line of consentText(published)) console.log(line)
  if (yes !== true && !await confirm('Fetch it from there?')) {
    console.log('Nothing was fetched.')
    return false
  }
  const { name, address: source, sha256: expected, licence, overrides } = published
  const folder = await folderOf(config)
  const { signal } = new AbortController()
  print(await withClient(folder, async client =>
    await addModel({ folder, client, source, expected, signal, overrides: { name, licence, ...overrides } })))
  return true
}

/** Adds a published network, a file, an address, or each network of a folder; a running service uses it later. */
export async function add (source: string, options: Addition, confirm: Confirm = ask,
  known = CATALOGUE): Promise<void> {
  const published = publishedNamed(source, known)
  if (published) {
    if (await addPublished(published, options, confirm)) console.log(ADDED)
    return
  }
  const folder = await folderOf(options.config)
  const overrides = overridesOf(options)
  const { signal } = new AbortController()
  const sources = await sourcesIn(source)
  await withClient(folder, async client => {
    for (const one of sources) print(await addModel({ folder, client, source: one, overrides, signal }))
  })
  console.log(ADDED)
}

/** Lists where networks can come from; it fetches nothing. */
export async function catalogue (): Promise<void> {
  console.log('Published networks, fetched when you say so: prnd health model add NAME\n')
  for (const published of CATALOGUE) for (const line of consentText(published)) console.log(line)
  console.log('\nYour own files: prnd health model add FILE, or a folder of .onnx files')
  console.log('A server that runs one: "plugins": { "health-model": { "remote": { "url": "http://…" } } } in the configuration;')
  console.log('it receives every picture that is judged. See docs/guides/health.md.')
}

export async function list ({ config }: Place): Promise<void> {
  const models = await knownModels(await folderOf(config), message => console.error(message))
  for (const { model } of models) print(model)
  if (models.length === 1) console.log('No network was added: the built-in one judges, once the runtime is installed. See docs/guides/health.md.')
}

interface Test extends Place { readonly model?: string, readonly out?: string }

async function testOne (client: InferenceClient, { file, model }: StoredModel, path: string,
  out?: string): Promise<void> {
  const picture = await readFile(path)
  const { width, height } = await sharp(picture).metadata()
  const reading = await client.infer(file, model, picture)
  const [word = '', ...boxes] = findings(model, reading, { width, height })
  console.log(`${path}: ${word}, ${Math.round(reading.ms)} ms (${reading.runtime})`)
  for (const line of boxes) console.log(`  ${line}`)
  if (out === undefined) return
  const to = join(out, `${basename(path).replace(/\.\w+$/, '')}.${model.name}.jpg`)
  await writeFile(to, await drawBoxes(picture, reading.boxes, model.failing))
  console.log(`  drawn: ${to}`)
}

/** Says how each network was understood, and its verdict on each picture, independent of earlier pictures. */
export async function test (pictures: readonly string[], { config, model: only, out }: Test): Promise<void> {
  const folder = await folderOf(config)
  const all = await knownModels(folder, message => console.error(message))
  const models = all.filter(({ model }) => only === undefined || model.name === only)
  const names = all.map(({ model }) => model.name).join(', ')
  if (models.length === 0) throw new Error(`There is no network '${only}', but ${names}`)
  if (out !== undefined) await mkdir(out, { recursive: true })
  await withClient(folder, async client => {
    for (const stored of models) {
      await verifyModel(stored)
      print(stored.model)
      for (const path of pictures) await testOne(client, stored, path, out)
    }
  })
}

export async function remove (name: string, { config }: Place): Promise<void> {
  if (name === BUILT_IN) {
    throw new Error('The built-in network is a part of prnd. To do without it: "plugins": { "health-model": { "builtIn": false } }')
  }
  if (!await dropModel(await folderOf(config), name)) throw new Error(`There is no network '${name}'`)
  console.log(`Network '${name}' was removed. The service goes without it from its next start on.`)
}
