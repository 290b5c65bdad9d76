import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { timeoutSignal } from '../../../core/index.js'
import type { FoundSlicer } from '../types.js'
import { runProgram, whichProgram } from './run-program.js'

export interface ProgramPlaces {
  /** Names in the search path. */
  readonly names: readonly string[]
  /** Where installers put it, by system. */
  readonly paths: readonly string[]
  /** Arguments that make it say its version and end. */
  readonly ask: readonly string[]
  /** Finds the version in what it says; the first group is the version. */
  readonly version: RegExp
}

const ASK_MS = 15_000
const ASK_LIMITS = { timeoutMs: ASK_MS, memoryMiB: 4_096, fileMiB: 16 }

/** The program's path. @param configured a path that the configuration names; no other is then tried */
export const placeOf = ({ names, paths }: ProgramPlaces, configured?: string): string | undefined => {
  if (configured !== undefined && configured !== '') {
    return isAbsolute(configured) ? (existsSync(configured) ? configured : undefined) : whichProgram(configured)
  }
  return names.map(name => whichProgram(name)).find(path => path !== undefined) ?? paths.find(existsSync)
}

/** Finds a program and asks for its version, which a slicer takes up to some seconds to say. */
export async function findProgram (places: ProgramPlaces, configured?: string): Promise<FoundSlicer | undefined> {
  const place = placeOf(places, configured)
  if (place === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'prnd-slicer-'))
  let version = ''
  try {
    await runProgram([place, ...places.ask], {
      ...ASK_LIMITS,
      folder,
      signal: timeoutSignal(ASK_MS),
      onLine: line => { version ||= places.version.exec(line)?.[1] ?? '' }
    })
  } catch {
    // It is there, but does not say its version.
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return { place, version }
}
