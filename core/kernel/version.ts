import semver from 'semver'

/** The kernel's version: what a plugin's `kernel` range is checked against. */
export const VERSION = '1.0.0'

export const satisfies = (range: string, version = VERSION): boolean =>
  semver.satisfies(version, range, { includePrerelease: true })

export const isVersion = (text: string): boolean => semver.valid(text) !== null
export const isRange = (text: string): boolean => semver.validRange(text) !== null
