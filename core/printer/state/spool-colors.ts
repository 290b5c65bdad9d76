import type { Spool } from './types.js'

/** Reported instead of a colour. */
export const NO_COLOR = '00000000'

/** The colours of a spool. */
export interface SpoolColors {
  /** RRGGBBAA, the main one first; empty if unknown. A clear spool has the colour 00000000. */
  readonly colors: readonly string[]
  /** At least one of them is translucent. */
  readonly isTranslucent: boolean
}

const hasTag = ({ tagUid, trayUuid }: Pick<Spool, 'tagUid' | 'trayUuid'>): boolean => /[^0]/.test(tagUid + trayUuid)

/** No colour means that it is unknown, unless the spool has a tag: then it is clear. */
export function spoolColors (spool: Pick<Spool, 'type' | 'rgba' | 'colors' | 'tagUid' | 'trayUuid'>): SpoolColors {
  const { type, rgba, colors } = spool
  const several = colors.filter(color => color !== NO_COLOR)
  const all = colors.length > 1 && several.length > 0 ? colors : [rgba === NO_COLOR && type !== '' ? several[0] ?? rgba : rgba]
  const isClear = type !== '' && hasTag(spool)
  const known = [...new Set(all)].filter(color => /^[0-9A-F]{8}$/.test(color) && (color !== NO_COLOR || isClear))
  return { colors: known, isTranslucent: known.some(color => !color.endsWith('FF')) }
}

/** `#RRGGBB` of each, the main one first; empty for a clear spool, and if the colour is unknown. */
export const hexColors = (spool: Parameters<typeof spoolColors>[0]): string[] =>
  spoolColors(spool).colors.filter(color => color !== NO_COLOR).map(color => `#${color.slice(0, 6)}`)
