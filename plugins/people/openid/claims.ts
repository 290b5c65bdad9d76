import { lesserRole, type Role } from '../../../core/index.js'
import { isUsableName } from '../schemas.js'
import type { OpenIdOptions } from './options.js'
import { LoginRefused } from './refusals.js'

export type Claims = Readonly<Record<string, unknown>>
const higherRole = (a: Role, b: Role): Role => lesserRole(a, b) === a ? b : a

type Rules = Pick<OpenIdOptions, 'nameClaim' | 'roleClaim' | 'roles' | 'defaultRole'>

const MOST_VALUES = 1_000

const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined

/** A claim by name, which may contain dots, or else by path. */
export const claimIn = (claims: Claims, path: string): unknown =>
  own(claims, path) ?? path.split('.').reduce<unknown>((value, part) => own(value, part), claims)

/** Whether the claims include all that are needed. */
export const isComplete = (claims: Claims, { nameClaim, roleClaim }: Rules): boolean =>
  [nameClaim, ...(roleClaim === undefined ? [] : [roleClaim])].every(path => claimIn(claims, path) !== undefined)

/** @throws LoginRefused */
export function nameIn (claims: Claims, { nameClaim }: Rules): string {
  const name = claimIn(claims, nameClaim)
  if (typeof name !== 'string' || name === '') throw new LoginRefused('noName', `there is no claim ${nameClaim}`)
  if (!isUsableName(name)) throw new LoginRefused('badName', `the claim ${nameClaim} cannot be used as a user name`)
  return name
}

/** @throws LoginRefused if the user has no role */
export function roleIn (claims: Claims, { roleClaim, roles, defaultRole }: Rules): Role {
  const given = roleClaim === undefined ? [] : [claimIn(claims, roleClaim)].flat().slice(0, MOST_VALUES)
  const mapped = given.flatMap(value => typeof value === 'string' && Object.hasOwn(roles, value) ? roles[value] ?? [] : [])
  const role = mapped.length > 0 ? mapped.reduce((a, b) => higherRole(a, b)) : defaultRole
  if (role === undefined) throw new LoginRefused('noRole', `nothing in the claim ${roleClaim} is listed in roles`)
  return role
}
