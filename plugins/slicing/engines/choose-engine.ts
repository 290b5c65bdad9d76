import { NoSlicer, WrongSlicer } from '../errors.js'
import type { FoundSlicer, SettingsKind, Slicer } from '../types.js'

/** A slicer, and where it is. */
export interface FoundEngine {
  readonly slicer: Slicer
  readonly found: FoundSlicer
}

export interface WantedEngine {
  /** Name of a slicer; left out: the first one that takes the settings. */
  readonly engine: string | undefined
  readonly kind: SettingsKind
  /** Of an imported profile; left out: the built-in ones. */
  readonly profile: string | undefined
}

const kindOf = ({ takes = 'configuration' }: Slicer): SettingsKind => takes

/** What shall be sliced with, for errors. */
const inWords = ({ kind, profile }: WantedEngine): string => profile === undefined
  ? 'the built-in profiles, which are configurations of PrusaSlicer'
  : `'${profile}', which ${kind === 'presets' ? 'holds presets of OrcaSlicer or Bambu Studio' : 'is a configuration of PrusaSlicer'}`

/**
 * The slicer for a plate.
 * @throws PRN_ERR_NO_SLICER if none is installed that takes its settings, PRN_ERR_WRONG_SLICER if another was asked for
 */
export function chooseEngine (
  all: readonly { readonly slicer: Slicer, readonly found: FoundSlicer | undefined }[], wanted: WantedEngine
): FoundEngine {
  const suited = all.filter(({ slicer }) => kindOf(slicer) === wanted.kind)
  const { engine } = wanted
  const named = all.find(({ slicer }) => slicer.name === engine)
  if (named && !suited.includes(named)) {
    const others = suited.map(({ slicer: { name } }) => name).join(', ')
    throw new WrongSlicer(named.slicer.title, inWords(wanted), others || 'none is known')
  }
  for (const { slicer, found } of engine === undefined ? suited : named ? [named] : []) {
    if (found) return { slicer, found }
  }
  if (engine !== undefined) throw new NoSlicer(` '${engine}'`)
  throw new NoSlicer(all.every(({ found }) => found === undefined) ? '' : ` for ${inWords(wanted)},`)
}
