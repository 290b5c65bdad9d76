import parsed from 'semver/functions/valid.js'
import isGreater from 'semver/functions/gt.js'
import prereleaseOf from 'semver/functions/prerelease.js'
import isSatisfied from 'semver/functions/satisfies.js'
import parsedRange from 'semver/ranges/valid.js'

/** The kernel's version, to which a plugin's `kernel` range is compared. */
export const VERSION = '2.0.0'

export const satisfies = (range: string, version = VERSION): boolean =>
  isSatisfied(version, range, { includePrerelease: true })

/** Whether a version is newer than another one; false if one of them is none. */
export const isNewer = (version: string, than: string): boolean =>
  isVersion(version) && isVersion(than) && isGreater(version, than)

export const isVersion = (text: string): boolean => parsed(text) !== null
export const isRange = (text: string): boolean => parsedRange(text) !== null
/** The version as it is usually written; undefined if the text is none. */
export const versionIn = (text: string): string | undefined => parsed(text) ?? undefined
/** Such as `2.1.0-beta.1`; false if it is no version. */
export const isPrerelease = (version: string): boolean => prereleaseOf(version) !== null
