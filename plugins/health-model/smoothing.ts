/** How sure networks were of failures of one printer so far. */
export interface Course {
  /** Of this job: exponentially weighted, and the mean of about the last hour. */
  readonly recent: number
  readonly short: number
  /** Over all jobs, about the last 20 hours: what is always seen there is no failure. */
  readonly long: number
  /** s of this job, and of all, that were looked at. */
  readonly jobS: number
  readonly lifeS: number
}

export const NEW_COURSE: Course = { recent: 0, short: 0, long: 0, jobS: 0, lifeS: 0 }

/** The constants are those of Obico's server (backend/lib/prediction.py, config/settings.py), for a picture in 10 s. */
const STEP_S = 10
const ALPHA = 2 / (12 + 1)
const SHORT_S = 310 * STEP_S
const LONG_S = 7_200 * STEP_S
const SAFE_S = 30 * STEP_S
const LOW = 0.38
const HIGH = 0.78
const SHORT_MULTIPLE = 3.8
const ESCALATING = 1.75
/** Pictures that are farther apart count as if they were so far apart: one picture must not stand for an hour. */
const MOST_APART_S = 120

const rolling = (mean: number, value: number, seenS: number, windowS: number, apartS: number): number =>
  mean + (value - mean) * Math.min(1, apartS / Math.min(windowS, seenS + apartS))

/** @param apartS s since the picture before */
export function next (course: Course, value: number, apartS: number): Course {
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

/** A new job: what was seen over all jobs stays. */
export const begun = ({ long, lifeS }: Course): Course => ({ ...NEW_COURSE, long, lifeS })

const scaled = (value: number, from: number, to: number, low: number, high: number): number =>
  to <= from ? high : Math.min(high, Math.max(low, low + (value - from) * (high - low) / (to - from)))

/**
 * A third is a warning, two thirds a failure.
 * @param short mean of about an hour; a warning needs more above it, the longer pictures have looked like this
 */
function certaintyAbove (excess: number, short: number): number {
  const warning = Math.min(HIGH, Math.max(LOW, short * SHORT_MULTIPLE))
  const failure = warning * ESCALATING
  if (excess > failure) return scaled(excess, failure, failure * 1.5, 2 / 3, 1)
  return excess > warning ? scaled(excess, warning, failure, 1 / 3, 2 / 3) : scaled(excess, 0, warning, 0, 1 / 3)
}

/** 0 to 1; a job that has just begun is not doubted beyond a warning, for its first lines look like anything. */
export function certaintyOf ({ recent, short, long, jobS }: Course): number {
  const certainty = certaintyAbove(recent - long, short - long)
  return jobS < SAFE_S ? Math.min(certainty, SAFE_MOST) : certainty
}
const SAFE_MOST = 0.6

/** A picture of which nothing else is known. */
export const certaintyAlone = (value: number): number => certaintyAbove(value, 0)
