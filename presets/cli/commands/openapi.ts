import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '../../../core/index.js'
import daemon from '../../daemon/index.js'

/** Prints the OpenAPI document of the routes without opening a port. */
export default async function openapi ({ pretty = false }: { pretty?: boolean }): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'prnd-'))
  try {
    const kernel = await createKernel(daemon, { dataDir, log: { file: false } })
    await kernel.start({ listen: false })
    const { body } = await kernel.app.inject(`/api/openapi.json?pretty=${pretty}`)
    await kernel.close()
    process.stdout.write(`${body}\n`)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
