import parsed from 'semver/functions/valid.js'
import isSatisfied from 'semver/functions/satisfies.js'
import intersects from 'semver/ranges/intersects.js'
import parsedRange from 'semver/ranges/valid.js'

/** The kernel's version: what a plugin's `kernel` range is checked against. */
export const VERSION = '2.0.0'

export const satisfies = (range: string, version = VERSION): boolean =>
  isSatisfied(version, range, { includePrerelease: true })

/** A range that versions before 2.0.0 are in: the plugin was written for their names. */
export const isForBefore2 = (range: string): boolean => isRange(range) && intersects(range, '<2.0.0')

export const isVersion = (text: string): boolean => parsed(text) !== null
export const isRange = (text: string): boolean => parsedRange(text) !== null
