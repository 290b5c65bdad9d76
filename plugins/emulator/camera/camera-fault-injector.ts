import type { SecondClient } from './options.js'

/** Ways to spoil what is sent. */
export const SPOILS =
  ['header', 'short-length', 'long-length', 'not-jpeg', 'truncated', 'oversized', 'zeros'] as const
export type Spoil = typeof SPOILS[number]

/** Descriptions that no client should trust. */
export const HOSTILE_SDPS = ['empty', 'no-video', 'endless', 'binary', 'numbers', 'sets', 'elsewhere'] as const
export type HostileSdp = typeof HOSTILE_SDPS[number]

/** What a print may come to. */
export const PRINT_FAILURES = ['spaghetti', 'detached', 'blob', 'shift', 'warped', 'empty'] as const
export type PrintFailure = typeof PRINT_FAILURES[number]

/** What is wrong with a camera for now. Read by its servers, written by its faults. */
export interface CameraFaultInjector {
  /** Connections stay, no picture comes. */
  stalled: boolean
  rejectsCode: boolean
  /** Live view was switched off at the printer. */
  isOff: boolean
  /** In place of what the camera does otherwise. */
  secondClient: SecondClient | undefined
  /** Pictures that a connection gets before it is cut. */
  cutAfter: number
  /** What the print comes to, from which share of the job on. */
  printFailure: { readonly kind: PrintFailure, readonly from: number } | undefined
  /** Every video packet carries the same time. */
  frozenClock: boolean
  /** Connections end within a fragment. */
  cutsFragments: boolean
  /** What NAL units hold is noise. */
  garbageUnits: boolean
  /** Aggregates claim more than there is. */
  lyingAggregates: boolean
  /** No video picture can be decoded alone. */
  withoutKeys: boolean
  /** Video is half as wide and high. */
  halved: boolean
  /** One of so many video packets is missing; Infinity none. */
  lossEvery: number
  hostileSdp: HostileSdp | undefined
  /** Whoever asks for the description is sent to another address of the same camera. */
  redirects: boolean
  setSpoil (spoil: Spoil | undefined, times?: number): void
  /** What to do to the next picture. */
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
