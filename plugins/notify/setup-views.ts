// Pure parts of the set-up of messages: rules and views of targets, names, addresses.

import { connectionOf, type Options, type Rule } from './options.js'
import type { OptionValues } from './storable-options.js'
import type { StoredTarget } from './stored-targets.js'

/** The rules of a target that was added in the browser. */
export function rulesOf ({ name, rule }: Pick<StoredTarget, 'name' | 'rule'>): Rule[] {
  const { alerts, printers, attach, nights } = rule
  if (alerts.length === 0) return []
  const usual: Rule = {
    to: [name],
    alerts: [...alerts],
    ...(printers !== null && { printers: [...printers] }),
    ignore: false,
    severity: 'low',
    everyMinutes: 0,
    urgent: nights === 'send',
    attach
  }
  return nights === 'severe' ? [{ ...usual, severity: 'high', urgent: true }, usual] : [usual]
}

const LONGEST_BASE = 36

export const isTaken = (wanted: string, taken: ReadonlyMap<string, unknown>): boolean =>
  [...taken.keys()].some(name => name.toLowerCase() === wanted.toLowerCase())

/** The name, with a number if it is in use. */
export function freeName (wanted: string, taken: ReadonlyMap<string, unknown>): string {
  for (let name = wanted, count = 2; ; name = `${wanted.slice(0, LONGEST_BASE)} ${count++}`) {
    if (!isTaken(name, taken)) return name
  }
}

export const storedView = ({ name, type, options, rule, owner }: StoredTarget, secrets: OptionValues) => ({
  name,
  type,
  origin: 'stored' as const,
  address: placeOf(connectionOf(name, type, { ...options, ...secrets }).address),
  owner: owner?.name ?? null,
  options: { ...options },
  secrets: Object.keys(secrets),
  rule,
  alerts: [...rule.alerts]
})

export const fileViews = ({ targets, rules }: Options) => Object.entries(targets).map(([name, { type, ...own }]) => ({
  name,
  type,
  origin: 'file' as const,
  address: placeOf(connectionOf(name, type, own).address),
  owner: null,
  options: {},
  secrets: [],
  rule: null,
  alerts: [...new Set(rules.filter(({ to }) => to.includes(name)).flatMap(rule => rule.alerts))]
}))

export const hasLogin = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && (new URL(value).username !== '' || new URL(value).password !== '')

/** Only protocol and host: the rest of an address may be secret. */
function placeOf (address: string): string {
  if (!URL.canParse(address) || !address.includes('://')) return address.split(/[/?#@]/)[0] ?? ''
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}
