import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { run } from './run-program.js'

/** Its MobileNetV2 (MIT) was trained on pictures of another kind; what its first layers see is of use here too. */
const PACKAGE = 'nsfwjs@4.4.0'
const ARCHIVE = 'nsfwjs-4.4.0.tgz'
const SHA512 = 'krC1fgeTLXtZwgdpKJ0jm7hqv0gTSRQQRL+FhOaxaJ9Wj92t42BO3csO2odwgTAgZgf2RvkwPtp0R8Aa7dc+MA=='
const MODELS = 'package/dist/models'

interface Weight {
  readonly name: string
  readonly shape: readonly number[]
  readonly quantization: { readonly min: number, readonly scale: number, readonly dtype: 'uint8' }
}
interface Model { readonly weightsManifest: readonly [{ readonly weights: readonly Weight[] }] }

async function checkArchive (path: string): Promise<void> {
  const found = createHash('sha512').update(await readFile(path)).digest('base64')
  if (found !== SHA512) throw new Error(`${path} has the SHA-512 ${found}, but ${SHA512} is expected. Delete it and try again.`)
}

/**
 * Fetches the package and writes its weights into a folder: weights.json lists them (name, shape, quantisation),
 * weights.bin has a byte for each. The package has them as modules, which are run only if its hash is right.
 */
export async function fetchBaseWeights (folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run('npm', ['pack', '--silent', '--pack-destination', folder, PACKAGE])
  await checkArchive(join(folder, ARCHIVE))
  await run('tar', ['-xzf', join(folder, ARCHIVE), '-C', folder, `${MODELS}/package.json`, `${MODELS}/mobilenet_v2`])
  const require = createRequire(join(folder, MODELS, 'mobilenet_v2', 'index.js'))
  const model = require('./model.min.js') as Model
  const bytes = require('./group1-shard1of1.min.js') as string
  await writeFile(join(folder, 'weights.bin'), Buffer.from(bytes, 'base64'))
  await writeFile(join(folder, 'weights.json'), JSON.stringify(model.weightsManifest[0].weights))
}
