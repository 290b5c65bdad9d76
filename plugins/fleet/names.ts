/** Every name on NATS that belongs to one fleet. Permissions go by them: the site always stands before the rest. */
export interface Names {
  readonly state: string
  readonly leases: string
  readonly events: string
  readonly eventSubjects: string
  /** Key of a printer in the bucket of states. */
  key (site: string, node: string, printer: string): string
  /** Where the value of such a key is written. */
  stateSubject (key: string): string
  /** Key of the lease of a printer, by its serial number. */
  lease (site: string, serial: string): string
  event (site: string, node: string): string
  beat (site: string, node: string): string
  call (site: string, node: string): string
  /** Where a site with an account of its own asks whether the store is there. */
  readonly info: string
  /** Prefix of what a service is answered on. */
  inbox (owner: string): string
}

/** What may stand in a subject and a key as it is; the rest is written as its bytes. */
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
    beat: (site, node) => `${prefix}.beat.${site}.${node}`,
    call: (site, node) => `${prefix}.call.${site}.${node}`,
    inbox: owner => `${prefix}.inbox.${owner}`
  }
}

/** Of the parts of a subject or key, the site and the node. */
export const placeIn = (subject: string, at: number): { readonly site: string, readonly node: string } => {
  const parts = subject.split('.')
  return { site: parts[at] ?? '', node: parts[at + 1] ?? '' }
}
