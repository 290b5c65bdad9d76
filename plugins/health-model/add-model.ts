import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeModel, type Wishes } from './describe-model.js'
import { fetchFile, sourceText } from './fetch-model.js'
import { licenceIn, onnxFacts } from './onnx-file.js'
import type { InferenceClient } from './runtime/client.js'
import { checksumOf, keepModel } from './store.js'
import type { Model } from './types.js'

export interface Addition {
  readonly folder: string
  readonly client: Pick<InferenceClient, 'inspect' | 'infer'>
  readonly source: string
  readonly wishes: Omit<Wishes, 'prototypes'> & { readonly prototypesFrom?: string }
  readonly signal: AbortSignal
}

/** Fetches, opens and tries a network, and keeps it with its checksum. @throws what is wrong with it */
export async function addModel ({ folder, client, source, wishes, signal }: Addition): Promise<Model> {
  const { prototypesFrom, ...said } = wishes
  const bytes = await fetchFile(source, signal)
  const licence = licenceIn(onnxFacts(bytes))
  const prototypes = prototypesFrom === undefined
    ? undefined
    : Buffer.from(await fetchFile(prototypesFrom, signal)).toString('utf8')
  const room = await mkdtemp(join(tmpdir(), 'prn-model-'))
  try {
    const file = join(room, 'model.onnx')
    await writeFile(file, bytes)
    const facts = {
      sha256: checksumOf(bytes),
      bytes: bytes.length,
      source: sourceText(source),
      addedAt: new Date().toISOString(),
      licence
    }
    const model = describeModel(source, facts, await client.inspect(file, signal),
      { ...said, ...(prototypes !== undefined && { prototypes }) })
    await client.infer(file, model, GREY, signal) // what does not answer a picture is not kept
    await keepModel(folder, model, bytes)
    return model
  } finally {
    await rm(room, { recursive: true, force: true })
  }
}

/** A picture of one grey pixel (PNG). */
const GREY = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64')
