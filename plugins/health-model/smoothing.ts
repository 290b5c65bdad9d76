/** Running means of a detector's values for one printer. */
export interface Course {
  /** Of this job: the exponential moving average, and the mean of about the last hour. */
  readonly recent: number
  readonly short: number
  /** Over all jobs, about the last 20 hours: what always shows there is no failure. */
  readonly long: number
  /** Observed time of this job and of all jobs, s. */
  readonly jobS: number
  readonly lifeS: number
}

export const NEW_COURSE: Course = { recent: 0, short: 0, long: 0, jobS: 0, lifeS: 0 }

/** Constants of Obico's server (backend/lib/prediction.py, config/settings.py), for a picture every 10 s. */
const STEP_S = 10
const ALPHA = 2 / (12 + 1)
const SHORT_S = 310 * STEP_S
const LONG_S = 7_200 * STEP_S
const SAFE_S = 30 * STEP_S
const LOW = 0.38
const HIGH = 0.78
const SHORT_MULTIPLE = 3.8
const ESCALATING = 1.75
/** Upper limit for the weight of a picture, so that one does not stand for an hour. */
const MOST_APART_S = 120

const rolling = (mean: number, value: number, seenS: number, windowS: number, apartS: number): number =>
  mean + (value - mean) * Math.min(1, apartS / Math.min(windowS, seenS + apartS))

/** @param apartS s since the previous picture */
export function smooth (course: Course, value: number, apartS: number): Course {
  const apart = Math.min(MOST_APART_S, Math.max(STEP_S, apartS))
  const alpha = 1 - (1 - ALPHA) ** (apart / STEP_S)
  return {
    recent: course.recent + alpha * (value - course.recent),
    short: rolling(course.short, value, course.jobS, SHORT_S, apart),
    long: rolling(course.long, value, course.lifeS, LONG_S, apart),
    jobS: course.jobS + apart,
    lifeS: course.lifeS + apart
  }
}

/** For a new job only the mean over all jobs stays. */
export const startJob = ({ long, lifeS }: Course): Course => ({ ...NEW_COURSE, long, lifeS })

const scaled = (value: number, from: number, to: number, low: number, high: number): number =>
  to <= from ? high : Math.min(high, Math.max(low, low + (value - from) * (high - low) / (to - from)))

/**
 * Certainty of a failure, where 1/3 is a warning and 2/3 a failure.
 * @param short mean of about an hour; the higher it is, the more excess a warning needs
 */
function certaintyAbove (excess: number, short: number): number {
  const warning = Math.min(HIGH, Math.max(LOW, short * SHORT_MULTIPLE))
  const failure = warning * ESCALATING
  if (excess > failure) return scaled(excess, failure, failure * 1.5, 2 / 3, 1)
  return excess > warning ? scaled(excess, warning, failure, 1 / 3, 2 / 3) : scaled(excess, 0, warning, 0, 1 / 3)
}

/** 0 to 1; at the start of a job limited to a warning, because first lines look like anything. */
export function certaintyOf ({ recent, short, long, jobS }: Course): number {
  const certainty = certaintyAbove(recent - long, short - long)
  return jobS < SAFE_S ? Math.min(certainty, SAFE_MOST) : certainty
}
const SAFE_MOST = 0.6

/** Certainty for a single picture without a course. */
export const certaintyAlone = (value: number): number => certaintyAbove(value, 0)
