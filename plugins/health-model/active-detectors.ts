import { join } from 'node:path'
import { openJsonStore, readSecret, type Connections, type JsonStore } from '../../core/index.js'
import type { HealthDetector } from '../health/index.js'
import { createCourses, StoredCourses, type Courses } from './courses.js'
import { detectorOf, fileDetectors, remoteJudge, type NamedDetector } from './file-detectors.js'
import { createRemote, type RemoteOptions } from './remote.js'
import { readRemote, type StoredRemote } from './remote-settings.js'
import type { InferenceClient } from './runtime/client.js'
import { usedModels } from './used-models.js'
import type { HealthModelOptions } from './options.js'

export const REMOTE = 'remote'

export interface DetectorDeps {
  /** Of the plugin. */
  readonly folder: string
  readonly options: HealthModelOptions
  readonly client: InferenceClient
  readonly connections: Pick<Connections, 'add'>
  readonly maskSecret: (secret: string) => void
  readonly warn: (message: string) => void
}

/** The detectors that judge now: they are loaded again after every change, without a restart of the service. */
export class ActiveDetectors {
  readonly #deps: DetectorDeps
  readonly #courses = new Map<string, Courses>()
  #active: readonly NamedDetector[] = []
  #remote: RemoteOptions | undefined
  #store: JsonStore<StoredCourses> | undefined
  #endConnection = () => {}
  #loading: Promise<void> = Promise.resolve()

  constructor (deps: DetectorDeps) {
    this.#deps = deps
  }

  get detectors (): readonly HealthDetector[] { return this.#active.map(({ detector }) => detector) }
  get remote (): RemoteOptions | undefined { return this.#remote }

  /** Loads what is stored now; calls are served one after the other. */
  reload (): Promise<void> {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#load())
    return this.#loading
  }

  /**
   * Loads what is stored while the service starts. Resolves when the settings are known: checking large files takes
   * seconds on a slow disk, and until then the other detectors judge.
   * @throws errors of the settings
   */
  begin (): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#loading = this.#load(resolve)
      this.#loading.catch((error: Error) => {
        reject(error)
        this.#deps.warn(`The networks could not be loaded: ${error.message}`)
      })
    })
  }

  async #load (known = (): void => {}): Promise<void> {
    const { folder, options, client, warn } = this.#deps
    this.#remote = await this.#remoteOptions(await readRemote(folder, warn))
    const hasRemote = this.#remote !== undefined
    const models = await usedModels(folder, { builtIn: options.builtIn, hasRemote }, warn)
    this.#endConnection()
    this.#endConnection = () => {}
    client.close() // it may hold a network in memory whose file is another now
    if (models.length === 0 && !hasRemote) {
      this.#active = []
      return known()
    }
    const store = this.#store ??= await openJsonStore(join(folder, 'courses.json'),
      { schema: StoredCourses, initial: {}, warn })
    const coursesOf = (name: string) => {
      const courses = this.#courses.get(name) ?? createCourses(name, store)
      this.#courses.set(name, courses)
      return courses
    }
    const trustIn = (printer: string) => options.cameras[printer] ?? options.trust
    known()
    const files = await fileDetectors(models, { client, store, trustIn, warn, coursesOf })
    this.#active = this.#remote === undefined
      ? files
      : [...files, this.#remoteDetector(this.#remote, coursesOf(REMOTE), trustIn)]
  }

  /** The server of the configuration, or else the one that was chosen on the page. */
  async #remoteOptions (stored: StoredRemote | undefined): Promise<RemoteOptions | undefined> {
    const { options: { remote }, maskSecret } = this.#deps
    if (remote === undefined && stored === undefined) return undefined
    const token = remote === undefined
      ? stored?.token
      : remote.token && await readSecret(remote.token, 'plugins.health-model.remote.token')
    if (token !== undefined) maskSecret(token)
    const { url = '', ownAddress, ownPort } = remote ?? { url: stored?.url ?? '' } as RemoteOptions
    return { url, token, ownAddress, ownPort }
  }

  #remoteDetector (remote: RemoteOptions, courses: Courses, trustIn: (printer: string) => number): NamedDetector {
    const { connections, warn } = this.#deps
    const report = connections.add({
      name: 'health-model', plugin: 'health-model', what: 'the remote detector of failures', address: remote.url
    })
    this.#endConnection = report.remove
    const client = createRemote(remote, { steady: () => performance.now(), warn, report })
    return { courses, detector: detectorOf(remoteJudge(client, courses), trustIn) }
  }

  forget (printer: string): void {
    for (const courses of this.#courses.values()) courses.forget(printer)
  }

  async settled (): Promise<void> {
    await this.#loading.catch(() => {})
    await this.#store?.settled()
  }
}
