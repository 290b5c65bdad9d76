/** All NATS names of one fleet. Permissions depend on them: the site always comes before the rest. */
export interface Names {
  readonly state: string
  readonly leases: string
  readonly events: string
  readonly eventSubjects: string
  /** Key of a printer in the bucket of states. */
  key (site: string, node: string, printer: string): string
  /** Subject to which the value of such a key is published. */
  stateSubject (key: string): string
  /** Key of the lease of a printer, by its serial number. */
  lease (site: string, serial: string): string
  event (site: string, node: string): string
  heartbeat (site: string, node: string): string
  call (site: string, node: string): string
  /** Request subject by which a site with its own account checks that the store exists. */
  readonly info: string
  /** Prefix of the inbox in which a service receives answers. */
  inbox (owner: string): string
}

/** Any other character is written as `=` and the hex of its bytes in subjects and keys. */
const plain = /[^A-Za-z0-9_-]/gu
export const tokenOf = (name: string): string => name.replaceAll(plain, char =>
  [...Buffer.from(char)].map(byte => `=${byte.toString(16).padStart(2, '0')}`).join(''))

export function namesOf (fleet: string): Names {
  const prefix = `prnd.${fleet}`
  return {
    state: `prnd-${fleet}-state`,
    leases: `prnd-${fleet}-leases`,
    events: `prnd-${fleet}-events`,
    info: `${prefix}.info`,
    eventSubjects: `${prefix}.events.>`,
    key: (site, node, printer) => `${site}.${node}.${tokenOf(printer)}`,
    stateSubject: key => `$KV.prnd-${fleet}-state.${key}`,
    lease: (site, serial) => `${site}.${tokenOf(serial)}`,
    event: (site, node) => `${prefix}.events.${site}.${node}`,
    heartbeat: (site, node) => `${prefix}.beat.${site}.${node}`,
    call: (site, node) => `${prefix}.call.${site}.${node}`,
    inbox: owner => `${prefix}.inbox.${owner}`
  }
}

/** Site and node in a subject or key. @param at index of the site among its parts */
export const placeIn = (subject: string, at: number): { readonly site: string, readonly node: string } => {
  const parts = subject.split('.')
  return { site: parts[at] ?? '', node: parts[at + 1] ?? '' }
}
