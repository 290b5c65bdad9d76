import { isAbsolute } from 'node:path'
import { BadInput } from '../../core/index.js'
import type { ActiveDetectors } from './active-detectors.js'
import { addModel } from './add-model.js'
import { BackgroundTask } from './background-task.js'
import { CATALOGUE, type Published } from './catalogue.data.js'
import { wordFor, type Word } from './describe-words.js'
import type { ModelOverrides } from './describe-model.js'
import { NoRuntime, NoSuchNetwork, NotJudged, RemoteIsConfigured } from './errors.js'
import type { HealthModelOptions } from './options.js'
import { createRemote } from './remote.js'
import { writeRemote, type StoredRemote } from './remote-settings.js'
import type { InferenceClient } from './runtime/client.js'
import { installRuntime } from './runtime/install-runtime.js'
import { installedRuntimes, runtimeFolder } from './runtime/runtime-packages.js'
import { publishedNamed, sourcesIn } from './sources.js'
import { dropModel, verifyModel, type StoredModel } from './store.js'
import { BUILT_IN, type Box, type Reading } from './types.js'
import { knownModels } from './used-models.js'

export interface NetworksDeps {
  /** Of the plugin. */
  readonly folder: string
  readonly options: HealthModelOptions
  readonly active: ActiveDetectors
  readonly client: InferenceClient
  /** A process of its own, so that a file that is tried for the first time stops no judgement of a print. */
  readonly trialClient: () => InferenceClient
  readonly warn: (message: string) => void
  readonly catalogue?: readonly Published[]
  readonly install?: typeof installRuntime
}

export interface Judgement {
  readonly name: string
  readonly word: Word
  /** 0 to 1; a third is a warning, two thirds are critical. */
  readonly certainty: number
  /** ms for the network alone; null for a server. */
  readonly ms: number | null
  readonly boxes: readonly (Box & { readonly fails: boolean })[]
}

/** Which networks there are, and their changes while the service runs. The command line uses the same functions. */
export class Networks {
  readonly #deps: NetworksDeps
  readonly task = new BackgroundTask()

  constructor (deps: NetworksDeps) {
    this.#deps = deps
  }

  get active (): ActiveDetectors { return this.#deps.active }
  get options (): HealthModelOptions { return this.#deps.options }
  get catalogue (): readonly Published[] { return this.#deps.catalogue ?? CATALOGUE }

  async known (): Promise<StoredModel[]> { return await knownModels(this.#deps.folder, this.#deps.warn) }
  async runtimes (): Promise<Readonly<Record<string, string>>> {
    return await installedRuntimes(runtimeFolder(this.#deps.folder))
  }

  installRuntime (): void {
    const { folder, install = installRuntime, active } = this.#deps
    this.task.start({ kind: 'runtime', name: 'runtime', step: 'installing', total: null }, async signal => {
      await install(runtimeFolder(folder), { signal, isQuiet: true })
      await active.reload()
    })
  }

  /** @throws PRN_ERR_BAD_INPUT unless its licence was agreed to, PRN_ERR_NO_NETWORK_RUNTIME, PRN_ERR_NETWORK_TASK */
  async addPublished (name: string, agreed: boolean): Promise<void> {
    const published = publishedNamed(name, this.catalogue)
    if (published === undefined) throw new NoSuchNetwork(name)
    const { address, sha256: expected, bytes: total, licence, overrides } = published
    if (!agreed) throw new BadInput(`agree must be true: '${name}' is fetched from ${address} under ${licence}`)
    const given = { name: published.name, licence, ...overrides }
    await this.#add(name, [{ source: address, expected, overrides: given }], total)
  }

  /**
   * Adds a file, or the networks in a folder.
   * @throws PRN_ERR_BAD_INPUT for a path that is not complete, PRN_ERR_NO_NETWORK_RUNTIME, PRN_ERR_NETWORK_TASK
   */
  async addFrom (path: string, overrides: ModelOverrides): Promise<void> {
    if (!isAbsolute(path)) throw new BadInput('path must be complete, such as /srv/network.onnx')
    const sources = await sourcesIn(path).catch((error: Error) => { throw new BadInput(error.message) })
    await this.#add(path, sources.map(source => ({ source, overrides })), null)
  }

  async #add (name: string, sources: readonly Pick<Parameters<typeof addModel>[0], 'source' | 'expected' | 'overrides'>[],
    total: number | null): Promise<void> {
    const { folder, active, trialClient } = this.#deps
    if (Object.keys(await this.runtimes()).length === 0) throw new NoRuntime()
    this.task.start({ kind: 'network', name, step: 'fetching', total }, async (signal, report) => {
      const client = trialClient()
      try {
        for (const one of sources) {
          const onFetched = () => report({ step: 'checking' })
          await addModel({ ...one, folder, client, signal, onBytes: bytes => report({ bytes }), onFetched })
        }
      } finally {
        client.close()
        await active.reload()
      }
    })
  }

  /** @throws PRN_ERR_NO_SUCH_NETWORK, PRN_ERR_BAD_INPUT for the built-in one */
  async remove (name: string): Promise<void> {
    if (name === BUILT_IN) throw new BadInput(`'${BUILT_IN}' is a part of prnd and cannot be removed`)
    if (!await dropModel(this.#deps.folder, name)) throw new NoSuchNetwork(name)
    await this.#deps.active.reload()
  }

  /** @param remote undefined for none @throws PRN_ERR_REMOTE_CONFIGURED if the configuration names one */
  async chooseRemote (remote: StoredRemote | undefined): Promise<void> {
    const { folder, options, active } = this.#deps
    if (options.remote !== undefined) throw new RemoteIsConfigured()
    if (remote !== undefined && !URL.canParse(remote.url)) {
      throw new BadInput('url must be an address such as http://192.168.1.9:3333')
    }
    await writeRemote(folder, remote)
    await active.reload()
  }

  /**
   * What the networks and the server think of one picture, without the pictures before it.
   * @param only this one
   * @throws PRN_ERR_NO_SUCH_NETWORK, PRN_ERR_PICTURE_NOT_JUDGED with the reason, PRN_ERR_NO_NETWORK_RUNTIME
   */
  async judge (picture: Uint8Array, only: string | undefined, signal: AbortSignal): Promise<readonly Judgement[]> {
    const { active: { remote }, client } = this.#deps
    const models = (await this.known()).filter(({ model }) => only === undefined || model.name === only)
    if (models.length === 0) throw new NoSuchNetwork(only ?? '')
    const canRun = Object.keys(await this.runtimes()).length > 0
    if (!canRun && (only !== undefined || remote === undefined)) throw new NoRuntime()
    try {
      const judgements: Judgement[] = []
      for (const stored of canRun ? models : []) {
        await verifyModel(stored)
        const reading = await client.infer(stored.file, stored.model, picture, signal)
        judgements.push(judgementOf(stored.model.name, reading, reading.ms, stored.model.failing))
      }
      if (remote === undefined || only !== undefined) return judgements
      let problem = 'it gave no answer'
      const report = { connected: () => {}, failed: (error: unknown) => { problem = (error as Error).message } }
      const asked = createRemote(remote, { steady: () => performance.now(), warn: () => {}, report })
      const reading = await asked.judge(picture, signal)
      if (reading === undefined) throw new Error(`the server ${new URL(remote.url).host}: ${problem}`)
      return [...judgements, judgementOf('remote', reading, null)]
    } catch (error) {
      throw new NotJudged((error as Error).message, { cause: error })
    }
  }

  async close (): Promise<void> {
    await this.task.cancel()
  }
}

function judgementOf (name: string, { value, boxes }: Reading, ms: number | null,
  failing?: readonly string[]): Judgement {
  const fails = (label: string) => failing?.includes(label) ?? true
  return { name, ...wordFor(value), ms, boxes: boxes.map(box => ({ ...box, fails: fails(box.label) })) }
}
