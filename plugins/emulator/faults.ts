import type { Broker } from '../printer-servers/index.js'
import type { CameraFaults } from './camera/index.js'
import type { Clock } from './clock.js'
import type { GarbageKind } from './malformed-payloads.js'
import { dropHms, raiseHms } from './machine/errors.js'
import type { HmsEntry, Machine } from './machine/types.js'
import { noJob } from './machine/job.js'
import type { FaultInjector, OddStart, Refusal, Silence } from './fault-injector.js'

/** Ends a fault. */
export type Lift = () => void

/** Faults of a printer, on demand. */
export interface Faults {
  /** Ends every connection now; new ones are accepted. */
  drop (): void
  /** Closes the listener, for good or for `forMs` of the clock. Standing connections stay: add `drop`. */
  refuseConnections (forMs?: number): Lift
  /**
   * Connections stay, nothing is published, and requests are logged without effect.
   * With `pings` (default) the broker itself still answers pings and QoS 1, like firmware whose stream died.
   * Without, not a byte is read or written any more, like a printer that lost power; lifting the fault ends those
   * connections.
   */
  silence (options?: { readonly pings?: boolean }): Lift
  /** The access code is refused (CONNACK 5), and connections end. */
  rejectAccessCode (): Lift
  /** Another certificate and key, as after a reset; connections end. @returns the fingerprint */
  changeCertificate (): Promise<string>
  /** Refuses a command: `pause`, `print.pause`, `update` for a rename, `*` for all. */
  refuse (command: string, refusal?: Refusal): Lift
  /** Never answers a command, though it is carried out unless `acts` is false. */
  ignore (command: string, silence?: Silence): Lift
  /** Delays answers by so many ms of the clock. */
  delayReplies (ms: number): Lift
  /** Sends every answer several times. */
  duplicateReplies (copies?: number): Lift
  /** Accepts start commands and then behaves as some firmware does: see {@link OddStart}. */
  startOddly (start: OddStart): Lift
  /** A power cycle: connections end, and the job is lost. */
  restart (): void
  /** A health message that appears and disappears, each for `everyMs` of the clock. */
  flapHms (entry: HmsEntry, everyMs: number): Lift
  /** Faults of the camera. */
  readonly camera: CameraFaults
  /** Publishes one malformed payload. */
  garbage (kind?: GarbageKind): void
  /** Ends all faults and restores the first certificate. Resolves when the listener is open. */
  clear (): Promise<void>
}

export interface FaultsOptions {
  readonly machine: Machine
  readonly clock: Clock
  readonly faultInjector: FaultInjector
  readonly camera: CameraFaults
  /** Undefined while the printer is off. */
  readonly broker: () => Broker | undefined
  readonly onChange: () => void
  readonly spoil: (kind: GarbageKind) => void
  readonly changeCertificate: () => Promise<string>
  readonly restoreCertificate: () => void
}

const REOPEN_ATTEMPTS = 20
const REOPEN_AFTER_MS = 50

/** Retries, because another program may hold the port for a moment. */
async function reopen (broker: Broker): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await broker.listening(true)
    } catch (error) {
      if (attempt >= REOPEN_ATTEMPTS) throw error
      await new Promise(resolve => setTimeout(resolve, REOPEN_AFTER_MS))
    }
  }
}

/** A power cycle loses the job. */
function restart ({ machine, faultInjector, broker, onChange }: FaultsOptions): void {
  const { number, stage } = machine.job
  Object.assign(machine.job, noJob(stage), { number: number + 1 })
  faultInjector.heldStarts.clear()
  machine.printError = 0
  machine.hms = []
  broker()?.drop()
  onChange()
}

/** Shows and hides a health message in turn. */
function flap (entry: HmsEntry, everyMs: number, { machine, clock, onChange }: FaultsOptions): Lift {
  let isShown = false
  const flip = (): void => {
    isShown = !isShown
    if (isShown) raiseHms(machine, entry)
    else dropHms(machine, entry)
    onChange()
  }
  flip()
  const end = clock.every(everyMs, flip)
  return () => { end(); dropHms(machine, entry); onChange() }
}

export function createFaults (options: FaultsOptions): Faults {
  const { clock, faultInjector, broker } = options
  const standing = new Set<Lift>()
  let opening: Promise<void> = Promise.resolve()

  /** A fault with an end; ending it twice does nothing. */
  const lasting = (end: Lift): Lift => {
    const lift = (): void => { if (standing.delete(lift)) end() }
    standing.add(lift)
    return lift
  }

  const open = (): void => {
    const current = broker()
    if (current !== undefined) opening = reopen(current)
    opening.catch(() => {})
  }

  return {
    camera: options.camera,
    drop: () => broker()?.drop(),
    refuseConnections (forMs) {
      broker()?.listening(false)
      const lift = lasting(open)
      const cancel = forMs === undefined ? undefined : clock.after(forMs, lift)
      return () => { cancel?.(); lift() }
    },
    silence ({ pings = true } = {}) {
      faultInjector.silent = true
      if (!pings) broker()?.freeze(true)
      return lasting(() => { faultInjector.silent = false; broker()?.freeze(false) })
    },
    rejectAccessCode () {
      faultInjector.rejectsCode = true
      broker()?.drop()
      return lasting(() => { faultInjector.rejectsCode = false })
    },
    changeCertificate: options.changeCertificate,
    refuse: (command, refusal = {}) => lasting(faultInjector.addRefusal(command, refusal)),
    ignore: (command, silence = {}) => lasting(faultInjector.addSilence(command, silence)),
    delayReplies (ms) {
      faultInjector.delayMs = ms
      return lasting(() => { faultInjector.delayMs = 0 })
    },
    duplicateReplies (copies = 2) {
      faultInjector.copies = copies
      return lasting(() => { faultInjector.copies = 1 })
    },
    startOddly (start) {
      faultInjector.oddStart = start
      return lasting(() => {
        faultInjector.oddStart = undefined
        const held = [...faultInjector.heldStarts]
        faultInjector.heldStarts.clear()
        for (const begin of held) begin()
      })
    },
    restart: () => restart(options),
    flapHms: (entry, everyMs) => lasting(flap(entry, everyMs, options)),
    garbage: (kind = 'text') => options.spoil(kind),
    async clear () {
      for (const lift of standing) lift()
      faultInjector.clear()
      options.restoreCertificate()
      await Promise.all([opening, options.camera.clear()])
    }
  }
}
