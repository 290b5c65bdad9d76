/** Emphasis: `bad` errors, `warn` what needs attention, `busy` work in progress, `good` what is done. */
export type Tone = 'bad' | 'warn' | 'busy' | 'good' | 'plain'

/** Condition of a printer, with the words that pages and the command line use. Lowest `rank`: needs attention first. */
export const CONDITIONS = {
  error: { word: 'Needs help', tone: 'bad', icon: 'alert', rank: 0 },
  failed: { word: 'Failed', tone: 'bad', icon: 'close', rank: 1 },
  paused: { word: 'Paused', tone: 'warn', icon: 'pause', rank: 2 },
  stale: { word: 'No news', tone: 'warn', icon: 'offline', rank: 3 },
  offline: { word: 'Offline', tone: 'warn', icon: 'offline', rank: 4 },
  finished: { word: 'Finished', tone: 'good', icon: 'check', rank: 5 },
  cancelled: { word: 'Cancelled', tone: 'plain', icon: 'stop', rank: 6 },
  printing: { word: 'Printing', tone: 'busy', icon: 'play', rank: 7 },
  preparing: { word: 'Preparing', tone: 'busy', icon: 'heat', rank: 8 },
  idle: { word: 'Idle', tone: 'plain', icon: 'printer', rank: 9 },
  unwatched: { word: 'Session paused', tone: 'plain', icon: 'cloudless', rank: 10 },
  unknown: { word: 'Unknown', tone: 'plain', icon: 'help', rank: 11 }
} as const satisfies Readonly<Record<string, { word: string, tone: Tone, icon: string, rank: number }>>

export type Condition = keyof typeof CONDITIONS

/** Job states as printers report them. A cancelled job reports `FAILED` or `IDLE`. */
export const JOB_CONDITIONS: Readonly<Record<string, Condition>> = {
  RUNNING: 'printing',
  PREPARE: 'preparing',
  SLICING: 'preparing',
  INIT: 'preparing',
  PAUSE: 'paused',
  FINISH: 'finished',
  FAILED: 'failed',
  IDLE: 'idle'
}

/** Emphasis of a fault by its severity in the API. */
export const FAULT_TONES: Readonly<Record<string, Tone>> = {
  Fatal: 'bad', Error: 'bad', Warning: 'warn', Info: 'plain', Historical: 'plain'
}
