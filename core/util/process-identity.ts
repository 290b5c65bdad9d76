import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { Type, type Static } from 'typebox'

/** Identifies a process, even among later ones with the same pid. */
export const ProcessIdentity = Type.Object({
  pid: Type.Integer(),
  /** Where the pid is valid: host, boot and pid namespace. */
  realm: Type.String(),
  /** Its start time from `/proc`; empty if that is not available. */
  started: Type.String()
})
export type ProcessIdentity = Static<typeof ProcessIdentity>

function attempt (read: () => string): string {
  try {
    return read()
  } catch {
    return '' // not Linux
  }
}

/** Fields of `/proc/PID/stat` from the state on; the name before it may contain spaces and brackets. */
function statOf (pid: number): readonly string[] {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

/** The state is field 3, the start time field 22. */
const STARTED_AT = 22 - 3

const startOf = (pid: number): string => statOf(pid)[STARTED_AT] ?? ''

/** Ended, but not yet reaped by its parent, which some init processes of containers never do. */
const isZombie = (pid: number): boolean => /^[ZX]/.test(statOf(pid)[0] ?? '')

const realm = () => [
  hostname(),
  attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  attempt(() => readlinkSync('/proc/self/ns/pid'))
].join(' ')

export const ownIdentity = (): ProcessIdentity => ({ pid: process.pid, realm: realm(), started: startOf(process.pid) })

/** @returns undefined if unknown: on another machine, in another container, without a start time */
export function isAlive ({ pid, realm: its, started }: ProcessIdentity): boolean | undefined {
  if (its !== realm()) return undefined
  if (!isRunning(pid)) return false
  return started === '' ? undefined : startOf(pid) === started
}

export function isRunning (pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' // EPERM: it belongs to another user
  }
}
