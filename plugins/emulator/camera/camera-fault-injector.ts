import type { SecondClient } from './options.js'

/** Ways to spoil what is sent. */
export const SPOILS =
  ['header', 'short-length', 'long-length', 'not-jpeg', 'truncated', 'oversized', 'zeros'] as const
export type Spoil = typeof SPOILS[number]

/** Malicious session descriptions (SDP). */
export const HOSTILE_SDPS = ['empty', 'no-video', 'endless', 'binary', 'numbers', 'sets', 'elsewhere'] as const
export type HostileSdp = typeof HOSTILE_SDPS[number]

/** Ways a print may fail. */
export const PRINT_FAILURES = ['spaghetti', 'detached', 'blob', 'shift', 'warped', 'empty'] as const
export type PrintFailure = typeof PRINT_FAILURES[number]

/** The active faults of a camera. Read by its servers, set by `CameraFaults`. */
export interface CameraFaultInjector {
  /** Connections stay, but no pictures are sent. */
  stalled: boolean
  rejectsCode: boolean
  /** Live view was switched off at the printer. */
  isOff: boolean
  /** Overrides the camera's usual policy. */
  secondClient: SecondClient | undefined
  /** Pictures that a connection receives before it is cut. */
  cutAfter: number
  /** How the print fails, and from which share of the job on. */
  printFailure: { readonly kind: PrintFailure, readonly from: number } | undefined
  /** Every video packet carries the same time. */
  frozenClock: boolean
  /** Connections end within a fragment. */
  cutsFragments: boolean
  /** The payload of NAL units is noise. */
  garbageUnits: boolean
  /** Lengths in aggregation packets exceed the packet. */
  lyingAggregates: boolean
  /** The video has no key pictures. */
  withoutKeys: boolean
  /** Video is half as wide and high. */
  halved: boolean
  /** One of so many video packets is dropped; Infinity for none. */
  lossEvery: number
  hostileSdp: HostileSdp | undefined
  /** DESCRIBE is redirected to another address of the same camera. */
  redirects: boolean
  setSpoil (spoil: Spoil | undefined, times?: number): void
  /** How to spoil the next picture. */
  takeSpoil (): Spoil | undefined
}

export function createCameraFaultInjector (): CameraFaultInjector {
  let spoil: Spoil | undefined
  let left = 0
  return {
    stalled: false,
    rejectsCode: false,
    isOff: false,
    secondClient: undefined,
    cutAfter: Infinity,
    printFailure: undefined,
    frozenClock: false,
    cutsFragments: false,
    garbageUnits: false,
    lyingAggregates: false,
    withoutKeys: false,
    halved: false,
    lossEvery: Infinity,
    hostileSdp: undefined,
    redirects: false,
    setSpoil (next, times = Infinity) {
      spoil = next
      left = times
    },
    takeSpoil: () => left-- > 0 ? spoil : undefined
  }
}
