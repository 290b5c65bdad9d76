import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { Type, type Static } from 'typebox'

/** Tells one process from all others, also from a later one with the same number. */
export const ProcessIdentity = Type.Object({
  pid: Type.Integer(),
  /** Where the number means something: this machine since it was switched on, and the container. */
  realm: Type.String(),
  /** When it was started, in the system's own terms; empty where that is not known. */
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

/** Fields that follow the name, which may hold spaces and brackets itself; the start is the 22nd of all. */
const STARTED_AT = 22 - 3

function startOf (pid: number): string {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[STARTED_AT] ?? ''
}

const realm = () => [
  hostname(),
  attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  attempt(() => readlinkSync('/proc/self/ns/pid'))
].join(' ')

export const ownIdentity = (): ProcessIdentity => ({ pid: process.pid, realm: realm(), started: startOf(process.pid) })

/** @returns undefined where it cannot be told: on another machine, in another container, without a start time */
export function isAlive ({ pid, realm: its, started }: ProcessIdentity): boolean | undefined {
  if (its !== realm()) return undefined
  if (!isRunning(pid)) return false
  return started === '' ? undefined : startOf(pid) === started
}

export function isRunning (pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' // it may belong to another user
  }
}
