import { BadInput } from '../../core/index.js'
import { NameTaken } from './errors.js'
import { lookAlikeProblem, skeletonOf } from './look-alikes.js'

/** @throws PRN_ERR_BAD_INPUT, PRN_ERR_NAME_TAKEN for a name that looks like another one */
export function checkName (what: string, name: string, all: readonly { readonly name: string }[]): void {
  const problem = lookAlikeProblem(name)
  if (problem !== undefined) throw new BadInput(`The name ${problem}`)
  if (all.some(other => skeletonOf(other.name) === skeletonOf(name))) throw new NameTaken(what, name)
}
