import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOwnFile, readOwnText, validationError } from '../../core/index.js'
import { BUILT_IN, Model } from './types.js'

const FILE = 'model.onnx'
const FACTS = 'model.json'
const MOST_MODELS = 10

export interface StoredModel { readonly model: Model, readonly file: string }

const modelsFolder = (folder: string) => join(folder, 'models')
export const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The added networks; damaged ones are skipped with a warning. */
export async function storedModels (folder: string, warn: (message: string) => void): Promise<StoredModel[]> {
  const names = (await readdir(modelsFolder(folder)).catch(() => [])).sort()
  const found = await Promise.all(names.filter(name => !name.startsWith('.')).map(async name => {
    const at = join(modelsFolder(folder), name)
    try {
      const facts = JSON.parse(await readOwnText(join(at, FACTS)) ?? '') as Model
      const problem = validationError(Model, facts)
      if (problem !== undefined || facts.name !== name) throw new Error(`${FACTS} is damaged`)
      return [{ model: facts, file: join(at, FILE) }]
    } catch (error) {
      warn(`Network '${name}' is skipped: ${(error as Error).message}`)
      return []
    }
  }))
  return found.flat()
}

/** @throws when the file is not the one that was added */
export async function verifyModel ({ model, file }: StoredModel): Promise<void> {
  if (await hashOwnFile(file) === model.sha256) return
  if (model.name === BUILT_IN) throw new Error('The file of the built-in network is damaged: install prnd again')
  throw new Error(`The file of network '${model.name}' is not the one that was added: remove it and add it again`)
}

/** Stores a network, replacing one of the same name. @throws when there are too many */
export async function storeModel (folder: string, model: Model, bytes: Uint8Array): Promise<void> {
  const parent = modelsFolder(folder)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const others = (await readdir(parent)).filter(name => !name.startsWith('.') && name !== model.name)
  if (others.length >= MOST_MODELS) throw new Error(`There are ${MOST_MODELS} networks already: remove one first`)
  const fresh = join(parent, `.${model.name}.new`)
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  try {
    await writeFile(join(fresh, FILE), bytes)
    await writeFile(join(fresh, FACTS), `${JSON.stringify(model, undefined, 2)}\n`)
    await rm(join(parent, model.name), { recursive: true, force: true })
    await rename(fresh, join(parent, model.name))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** @returns false if there is none of that name */
export async function dropModel (folder: string, name: string): Promise<boolean> {
  const known = (await storedModels(folder, () => {})).some(({ model }) => model.name === name)
  if (known) await rm(join(modelsFolder(folder), name), { recursive: true, force: true })
  return known
}
