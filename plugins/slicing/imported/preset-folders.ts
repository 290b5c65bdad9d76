import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { environment } from '../../../core/index.js'
import { LONGEST_PRESET, PRESET_KINDS, readPresetFile, type PresetFile, type PresetKind } from './preset-file.js'
import type { FindPreset } from './read-presets.js'

const PROGRAMS = ['OrcaSlicer', 'BambuStudio']
const FLATPAKS: Readonly<Record<string, readonly string[]>> = {
  OrcaSlicer: ['com.orcaslicer.OrcaSlicer', 'io.github.softfever.OrcaSlicer'], BambuStudio: ['com.bambulab.BambuStudio']
}

export interface FolderPlaces {
  readonly platform?: NodeJS.Platform
  readonly home?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Where the desktop slicers keep presets of people and of vendors. */
export function presetFolders (
  { platform = process.platform, home = homedir(), env = environment() }: FolderPlaces = {}
): string[] {
  if (platform === 'win32') return PROGRAMS.map(name => join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), name))
  if (platform === 'darwin') return PROGRAMS.map(name => join(home, 'Library', 'Application Support', name))
  return PROGRAMS.flatMap(name => [
    join(env.XDG_CONFIG_HOME ?? join(home, '.config'), name),
    ...(FLATPAKS[name] ?? []).map(id => join(home, '.var', 'app', id, 'config', name))
  ])
}

/** A vendor or a person of one program. */
interface Owner {
  /** Folder of the program. */
  readonly root: string
  readonly folder: string
}

interface Place {
  readonly path: string
  readonly owner: Owner
}

/** All vendors together have some 15,000. */
const MOST_FILES = 50_000
const MOST_LEVELS = 4
/** Vendors share these presets of filaments. */
const LIBRARY = 'OrcaFilamentLibrary'

function entriesOf (folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // the slicer is not installed
  }
}

/** Files of presets below a folder; links are not followed. */
function * jsonFiles (folder: string, levels = MOST_LEVELS): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && levels > 0) yield * jsonFiles(path, levels - 1)
    else if (entry.isFile() && entry.name.endsWith('.json')) yield path
  }
}

/** People first, then vendors. */
const ownersIn = (root: string): Owner[] => ['user', 'system'].flatMap(part => entriesOf(join(root, part))
  .filter(entry => entry.isDirectory()).map(({ name }) => ({ root, folder: join(root, part, name) })))

/** Files by kind and name: these programs name a file as its preset. */
function indexOf (roots: readonly string[]): ReadonlyMap<string, readonly Place[]> {
  const index = new Map<string, Place[]>()
  let files = 0
  for (const owner of roots.flatMap(ownersIn)) {
    for (const kind of PRESET_KINDS) {
      for (const path of jsonFiles(join(owner.folder, kind))) {
        if (++files > MOST_FILES) return index
        const key = `${kind}:${basename(path, '.json')}`
        index.set(key, [...index.get(key) ?? [], { path, owner }])
      }
    }
  }
  return index
}

function readPlace ({ path }: Place, kind: PresetKind): PresetFile | undefined {
  try {
    if (statSync(path).size > 4 * LONGEST_PRESET) return undefined
    const preset = readPresetFile(readFileSync(path, 'utf8'))
    return preset?.kind === kind ? preset : undefined
  } catch {
    return undefined // it cannot be read, or is no preset
  }
}

/** How near a preset is to the one that builds on it, 0 the nearest. */
function distance ({ root, folder }: Owner, child: Owner | undefined): number {
  if (folder === child?.folder) return 0
  return (root === child?.root ? 1 : 3) + (basename(folder) === LIBRARY ? 0 : 1)
}

/** Those that are nearest; none if they are of several vendors, whose presets have the same names and other content. */
function nearest (places: readonly Place[], child: Owner | undefined): readonly Place[] {
  const least = Math.min(...places.map(({ owner }) => distance(owner, child)))
  const found = places.filter(({ owner }) => distance(owner, child) === least)
  return new Set(found.map(({ owner }) => basename(owner.folder))).size > 1 ? [] : found
}

/**
 * Finds presets in the folders of the desktop slicers of this computer. What a preset builds on is looked for beside it
 * first.
 */
export function openPresetFolders (roots: readonly string[] = presetFolders()): FindPreset {
  let index: ReturnType<typeof indexOf> | undefined
  const owners = new WeakMap<PresetFile, Owner>()
  return (kind, name, child) => {
    index ??= indexOf(roots)
    // A preset that was given as a file may be a copy of one that lies there.
    const childOwner = child && (owners.get(child) ?? index.get(`${kind}:${child.name}`)?.[0]?.owner)
    for (const place of nearest(index.get(`${kind}:${name}`) ?? [], childOwner)) {
      const preset = readPlace(place, kind)
      if (preset?.name !== name) continue
      owners.set(preset, place.owner)
      return preset
    }
    return undefined
  }
}
