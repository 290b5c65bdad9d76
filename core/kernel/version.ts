import semver from 'semver'

/** The kernel's version: what a plugin's `kernel` range is checked against. */
export const VERSION = '2.0.0'

export const satisfies = (range: string, version = VERSION): boolean =>
  semver.satisfies(version, range, { includePrerelease: true })

/** A range that versions before 2.0.0 are in: the plugin was written for their names. */
export const isForBefore2 = (range: string): boolean => isRange(range) && semver.intersects(range, '<2.0.0')

export const isVersion = (text: string): boolean => semver.valid(text) !== null
export const isRange = (text: string): boolean => semver.validRange(text) !== null
