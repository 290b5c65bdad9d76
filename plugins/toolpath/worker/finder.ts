import type { Finder, Target } from '../findings/types.js'

/** Finds nothing. */
export const createFinder = (_target: Target): Finder => ({
  move () {},
  layer () {},
  heat () {},
  tool () {},
  home () {},
  dwell () {},
  acceleration () {},
  jerk () {},
  progress () {},
  change () {},
  other () {},
  tooLong () {},
  end: () => []
})
