import { readFile } from 'node:fs/promises'
import { defaultDataDir, readConfig } from '../../../core/index.js'
import {
  addModel, certaintyAlone, createInferenceClient, dropModel, KINDS, modelFolder, runtimeFolder, storedModels,
  verifyModel, type InferenceClient, type Kind, type Model
} from '../../../plugins/health-model/index.js'

interface Place { readonly config?: string }
interface Addition extends Place {
  readonly name?: string
  readonly kind?: string
  readonly labels?: readonly string[]
  readonly failing?: readonly string[]
  readonly prototypes?: string
  readonly licence?: string
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

const kindOf = (text: string): Kind => {
  const kind = KINDS.find(known => known === text)
  if (kind === undefined) throw new Error(`--kind is one of ${KINDS.join(', ')}`)
  return kind
}

const MIB = 1_048_576
function print ({ name, kind, width, height, labels, failing, bytes, source, sha256, licence, addedAt }: Model): void {
  console.log(`${name}: ${kind}, ${width} x ${height}, failures: ${failing.join(', ')} of ${labels.join(', ')}`)
  console.log(`  licence:  ${licence}`)
  console.log(`  from:     ${source} (${(bytes / MIB).toFixed(1)} MiB, ${addedAt.slice(0, 10)})`)
  console.log(`  checksum: sha256 ${sha256}`)
}

/** Adds a network; a running service uses it after its next start. */
export async function add (source: string, { config, kind, prototypes, ...overrides }: Addition): Promise<void> {
  const folder = await folderOf(config)
  const model = await withClient(folder, async client => await addModel({
    folder,
    client,
    source,
    overrides: {
      ...overrides,
      ...(kind !== undefined && { kind: kindOf(kind) }),
      ...(prototypes !== undefined && { prototypesFrom: prototypes })
    },
    signal: new AbortController().signal
  }))
  print(model)
  console.log('Added. The service uses it from its next start on.')
}

export async function list ({ config }: Place): Promise<void> {
  const models = await storedModels(await folderOf(config), message => console.error(message))
  for (const { model } of models) print(model)
  if (models.length === 0) console.log('No network was added: prints are judged by comparing pictures. See docs/guides/health.md.')
}

/** Shows each network's verdict on each picture, independent of earlier pictures. */
export async function test (pictures: readonly string[], { config }: Place): Promise<void> {
  const folder = await folderOf(config)
  const models = await storedModels(folder, message => console.error(message))
  if (models.length === 0) throw new Error('No network was added: prnd health model add FILE')
  await withClient(folder, async client => {
    for (const stored of models) {
      await verifyModel(stored)
      for (const path of pictures) {
        const { value, boxes, ms, runtime } = await client.infer(stored.file, stored.model, await readFile(path))
        const certainty = certaintyAlone(value)
        const word = certainty >= 2 / 3 ? 'critical' : certainty >= 1 / 3 ? 'warning' : 'clean'
        console.log(`${stored.model.name}  ${path}: ${word}, ${value.toFixed(3)}, ${boxes.length} places, ${Math.round(ms)} ms (${runtime})`)
      }
    }
  })
}

export async function remove (name: string, { config }: Place): Promise<void> {
  if (!await dropModel(await folderOf(config), name)) throw new Error(`There is no network '${name}'`)
  console.log(`Network '${name}' was removed. The service goes without it from its next start on.`)
}
