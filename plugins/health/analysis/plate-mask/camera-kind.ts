import type { JobContext } from '../../types.js'
import { geometryOf } from '../improved/geometry.js'

/** A bed that travels is at an unknown place in each picture: of it, nothing is said. */
export const hasFixedCamera = ({ series }: Pick<JobContext, 'series'>): boolean => {
  const { slinger, corners } = geometryOf(series)
  return !slinger && corners !== undefined
}
