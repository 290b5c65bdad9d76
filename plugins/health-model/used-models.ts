import { builtIn } from './built-in.js'
import { installedRuntimes, runtimeFolder } from './runtime/runtime-packages.js'
import { storedModels, type StoredModel } from './store.js'
import { BUILT_IN } from './types.js'

type Warn = (message: string) => void

/** The networks that were added, and the built-in one. */
export const knownModels = async (folder: string, warn: Warn): Promise<StoredModel[]> =>
  [...await storedModels(folder, warn), builtIn()]

export interface UseOptions {
  /** Whether the built-in network is used; by default it is while there is no other. */
  readonly builtIn?: boolean | undefined
  readonly hasRemote: boolean
}

/** The networks that judge. Without a runtime only those that a user has added, so that what is missing is said. */
export async function usedModels (folder: string, { builtIn: isWanted, hasRemote }: UseOptions,
  warn: Warn): Promise<StoredModel[]> {
  const added = await storedModels(folder, warn)
  const canRun = Object.keys(await installedRuntimes(runtimeFolder(folder))).length > 0
  return canRun && (isWanted ?? (added.length === 0 && !hasRemote)) ? [...added, builtIn()] : added
}

/** It counts only where it is worse than the comparison of pictures, which goes on beside it. */
export const onlyRaises = ({ model }: StoredModel): boolean => model.name === BUILT_IN
