import type { RouteOptions } from 'fastify'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, type Kernel, type Preset, type Route } from '../../core/index.js'
import { describedAs } from '../../plugins/http/index.js'
import type { Schema } from './schema.js'

/** A route as it is mounted. */
export interface Mounted {
  /** Such as `GET`, or `GET, POST`. */
  readonly method: string
  readonly url: string
  /** The contributed face; undefined for a route that a plugin serves by itself. */
  readonly face: Route | undefined
  readonly schema: Readonly<Record<string, unknown>>
}

/** An application that is set up and spoken to by nobody. */
export interface Application {
  readonly kernel: Kernel
  readonly routes: readonly Mounted[]
}

const methodsOf = (method: string | readonly string[]): string =>
  [method].flat().filter(name => name !== 'HEAD').sort().join(', ')

const mounted = ({ method, url, config, schema }: RouteOptions): Mounted => ({
  method: methodsOf(method as string | string[]),
  url,
  face: (config as { route?: Route } | undefined)?.route,
  schema: (describedAs(config, schema) ?? {}) as Mounted['schema']
})

/** Sets an application up without a port and without printers, and takes it down after `read`. */
export async function withApplication<T> (preset: Preset,
  read: (application: Application) => T | Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'prnd-docs-'))
  const routes: Mounted[] = []
  try {
    const kernel = await createKernel(preset, { printers: [], dataDir, log: { file: false } },
      { configFile: join(dataDir, 'config.json') })
    kernel.app.addHook('onRoute', route => { routes.push(mounted(route)) })
    try {
      await kernel.start({ listen: false })
      return await read({ kernel, routes: routes.filter(({ method }) => method !== '') })
    } finally {
      await kernel.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Every route whose meaning is a contributed operation. */
export const facesOf = ({ routes }: Application): readonly (Mounted & { readonly face: Route })[] =>
  routes.filter((route): route is Mounted & { readonly face: Route } => route.face !== undefined)

/** What a route takes, wherever it takes it. */
export function parametersOf ({ schema }: Mounted): Schema {
  const { params = {}, querystring, body } = schema as { params?: Schema, querystring?: Schema, body?: Schema }
  const { properties, required = [] } = querystring ?? body ?? {}
  return { properties: { ...params.properties, ...properties }, required: [...params.required ?? [], ...required] }
}
