import type { JobContext } from '../../plugins/health/types.js'

/** A healthy job on a closed P1, in the middle. */
const HEALTHY: JobContext = {
  jobName: 'Benchy',
  gcodeState: 'RUNNING',
  stageId: 0,
  stageName: '',
  layer: 50,
  totalLayers: 200,
  progressPct: 25,
  remainingMinutes: 60,
  nozzleC: 220,
  nozzleTargetC: 220,
  bedC: 60,
  bedTargetC: 60,
  chamberC: 0,
  partFanPct: 100,
  auxFanPct: 0,
  exhaustFanPct: 0,
  amsHumidity: 4,
  errors: 0,
  spaghetti: { enabled: false, sensitivity: 'medium' },
  clumping: { enabled: false },
  airPrinting: { enabled: false },
  filament: null,
  series: 'P1',
  enclosed: true,
  bedMm: [256, 256],
  nozzleMm: 0.4,
  nozzleFlow: 'STANDARD',
  speed: 'STANDARD',
  lightOn: true,
  doorOpen: false,
  lidOpen: false,
  settings: {}
}

/** A job with some things different. */
export const contextOf = (different: Partial<JobContext> = {}): JobContext => ({ ...HEALTHY, ...different })
