import type { Machine } from '../machine/types.js'
import { switchLiveViewOff } from './live-view.js'
import type { CameraFaultInjector, HostileSdp, PrintFailure, Spoil } from './camera-fault-injector.js'
import type { SecondClient } from './options.js'

/** Ends a fault. */
type Lift = () => void

/** Faults of the camera, on demand. */
export interface CameraFaults {
  /** A stuck stream: connections stay and requests are answered, including PLAY, but no more pictures are sent. */
  stall (): Lift
  /** Ends every connection now; new ones are accepted. */
  cut (): void
  /** Ends each connection after so many pictures. */
  cutAfter (pictures: number): Lift
  /** Closes the port; standing connections stay: add `cut`. */
  refuseConnections (): Lift
  /** The camera no longer accepts the access code and ends its connections. */
  rejectAccessCode (): Lift
  /** How the camera treats a second client. */
  secondClient (policy: SecondClient): Lift
  /** Spoils all further pictures, or a number of them. */
  spoil (how: Spoil, times?: number): Lift
  /** Live view is switched off at the printer: reports say so and the port refuses all clients. */
  liveViewOff (): Lift
  /** All video packets have the same timestamp. */
  freezeClock (): Lift
  /** Video: each connection ends in the middle of its next fragment. */
  cutInFragment (): Lift
  /** Video: NAL units retain type and size, but their payload is noise, and one of an unknown type is added. */
  garbageUnits (): Lift
  /** Video: the NAL units of a picture form one aggregation packet (STAP-A) with lengths beyond its end. */
  lyingLengths (): Lift
  /** Video: no more key pictures, not even for new clients. */
  withoutKeyPictures (): Lift
  /** Video: width and height are halved within the stream, and restored when the fault ends. */
  changeSize (): Lift
  /** Video: one of so many packets is dropped. @default 50 */
  losePackets (every?: number): Lift
  /** Video: sends a malicious session description (SDP). */
  hostileSdp (how: HostileSdp): Lift
  /** Video: DESCRIBE is answered with another address of the same camera, which redirects again. */
  redirect (): Lift
  /**
   * The part comes loose at a share of the job and the filament tangles from there on.
   *
   * @param fromPct progress at which it begins. @default 0
   */
  spaghetti (fromPct?: number): Lift
  /**
   * The pictures show a failing print: tangled filament, a detached part, a blob at the nozzle, shifted layers, a
   * warped corner, or a print without extrusion.
   *
   * @param fromPct progress at which it begins. @default 0
   */
  printFailure (kind: PrintFailure, fromPct?: number): Lift
  /** Ends all of these. Resolves when the port is open. */
  clear (): Promise<void>
}

export interface CameraFaultsOptions {
  readonly machine: Machine
  readonly faultInjector: CameraFaultInjector
  readonly drop: () => void
  readonly listening: (open: boolean) => Promise<void>
  readonly onChange: () => void
}

const LOSE_EVERY = 50

export function createCameraFaults (options: CameraFaultsOptions): CameraFaults {
  const { machine, faultInjector, drop, listening, onChange } = options
  const standing = new Set<Lift>()
  let opening: Promise<void> = Promise.resolve()

  /** A fault with an end; ending it twice does nothing. */
  const lasting = (end: Lift): Lift => {
    const lift = (): void => { if (standing.delete(lift)) end() }
    standing.add(lift)
    return lift
  }

  /** Sets one value until the fault ends. */
  const holding = <K extends keyof CameraFaultInjector>(key: K, value: CameraFaultInjector[K]): Lift => {
    const before = faultInjector[key]
    faultInjector[key] = value
    return lasting(() => { faultInjector[key] = before })
  }

  return {
    stall: () => holding('stalled', true),
    cut: drop,
    cutAfter: pictures => holding('cutAfter', pictures),
    refuseConnections () {
      listening(false).catch(() => {})
      return lasting(() => {
        opening = listening(true)
        opening.catch(() => {})
      })
    },
    rejectAccessCode () {
      const lift = holding('rejectsCode', true)
      drop()
      return lift
    },
    secondClient: policy => holding('secondClient', policy),
    spoil (how, times) {
      faultInjector.setSpoil(how, times)
      return lasting(() => faultInjector.setSpoil(undefined))
    },
    liveViewOff () {
      const switchOn = machine.traits.modern ? switchLiveViewOff(machine) : () => {}
      faultInjector.isOff = true
      drop()
      onChange()
      return lasting(() => { faultInjector.isOff = false; switchOn(); onChange() })
    },
    freezeClock: () => holding('frozenClock', true),
    cutInFragment: () => holding('cutsFragments', true),
    garbageUnits: () => holding('garbageUnits', true),
    lyingLengths: () => holding('lyingAggregates', true),
    withoutKeyPictures: () => holding('withoutKeys', true),
    changeSize: () => holding('halved', true),
    losePackets: (every = LOSE_EVERY) => holding('lossEvery', every),
    hostileSdp: how => holding('hostileSdp', how),
    redirect: () => holding('redirects', true),
    spaghetti: (fromPct = 0) => holding('printFailure', { kind: 'spaghetti', from: fromPct / 100 }),
    printFailure: (kind, fromPct = 0) => holding('printFailure', { kind, from: fromPct / 100 }),
    async clear () {
      for (const lift of standing) lift()
      await opening
    }
  }
}
