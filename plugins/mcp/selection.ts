import type { Kernel } from '../../core/index.js'
import { narrowed, toolsetProblem } from './toolsets.js'
import type { ServerContext } from './types.js'

/** What an address, or the command for one agent, asks for. */
export interface Selection {
  /** Names of toolsets; empty: all that are offered. */
  readonly toolsets: readonly string[]
  /** `output`: tools are listed with the schemas of their answers. */
  readonly schemas: readonly string[]
}

export const EVERYTHING: Selection = { toolsets: [], schemas: [] }

const OUTPUT = 'output'

const namesIn = (part: unknown): string[] =>
  [part ?? []].flat().flatMap(text => String(text).split(',')).map(name => name.trim()).filter(name => name !== '')

/** Parses `?toolsets=watch,print&schemas=output`. */
export const readSelection = ({ toolsets, schemas }: Readonly<Record<string, unknown>>): Selection =>
  ({ toolsets: namesIn(toolsets), schemas: namesIn(schemas) })

/** @returns what is wrong with the names, or undefined */
export function selectionProblem ({ toolsets, schemas }: Selection, kernel: Kernel): string | undefined {
  const problem = toolsetProblem(toolsets, kernel)
  if (problem !== undefined) return `toolsets: ${problem}`
  const wrong = schemas.find(name => name !== OUTPUT)
  return wrong === undefined ? undefined : `schemas: there is no '${wrong}'; choose ${OUTPUT}`
}

/** The context with what was asked for. */
export function selected (serverContext: ServerContext, { toolsets, schemas }: Selection): ServerContext {
  const context = narrowed(serverContext, toolsets)
  return schemas.includes(OUTPUT) ? { ...context, outputSchemas: true } : context
}
