import parsed from 'semver/functions/valid.js'
import isSatisfied from 'semver/functions/satisfies.js'
import parsedRange from 'semver/ranges/valid.js'

/** The kernel's version, to which a plugin's `kernel` range is compared. */
export const VERSION = '2.0.0'

export const satisfies = (range: string, version = VERSION): boolean =>
  isSatisfied(version, range, { includePrerelease: true })

export const isVersion = (text: string): boolean => parsed(text) !== null
export const isRange = (text: string): boolean => parsedRange(text) !== null
