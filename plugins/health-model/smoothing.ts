/** Running means of a detector's values for one printer. */
export interface Course {
  /** Of this job: the exponential moving average. */
  readonly recent: number
  /** Of the pictures of this job that were judged good: the mean of about the last hour. */
  readonly short: number
  /** Learned from the jobs before this one: what always shows there is no failure. */
  readonly long: number
  /** Least recent average of this job, the first minutes apart: what showed in all its pictures. Infinity before. */
  readonly least: number
  /** Observed time of this job, of its good pictures, and of all jobs before as far as it was learned from, s. */
  readonly jobS: number
  readonly goodS: number
  readonly lifeS: number
}

export const NEW_COURSE: Course = { recent: 0, short: 0, long: 0, least: Infinity, jobS: 0, goodS: 0, lifeS: 0 }

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
/** A camera that was never seen shows nothing wrong; that counts as much as so many seconds of pictures. */
const SHORT_PRIOR_S = 1_800
const LONG_PRIOR_S = 4 * 3_600
/** One job teaches no more than an hour would, or a failure that ran all night would pass for normal. */
const MOST_LEARNED_S = 3_600
/** Where a network is certain, there is always a warning, whatever was seen before. */
const MOST_LONG = 0.5

const rolling = (mean: number, value: number, seenS: number, windowS: number, apartS: number): number =>
  mean + (value - mean) * Math.min(1, apartS / Math.min(windowS, seenS + apartS))

/** @param apartS s since the previous picture */
export function smooth (course: Course, value: number, apartS: number): Course {
  const apart = Math.min(MOST_APART_S, Math.max(STEP_S, apartS))
  const alpha = 1 - (1 - ALPHA) ** (apart / STEP_S)
  const recent = course.recent + alpha * (value - course.recent)
  const jobS = course.jobS + apart
  const isGood = certaintyAbove(recent - course.long, course.short - course.long) < 1 / 3
  return {
    ...course,
    recent,
    jobS,
    least: jobS > SAFE_S ? Math.min(course.least, recent) : course.least,
    ...(isGood && {
      short: rolling(course.short, value, course.goodS + SHORT_PRIOR_S, SHORT_S, apart),
      goodS: course.goodS + apart
    })
  }
}

/** For a new job only what was learned stays. A failure that began in the middle of the last job teaches nothing. */
export function startJob ({ long, least, jobS, lifeS }: Course): Course {
  if (!Number.isFinite(least)) return { ...NEW_COURSE, long, lifeS }
  const learnedS = Math.min(jobS, MOST_LEARNED_S)
  const learned = rolling(long, least, lifeS + LONG_PRIOR_S, LONG_S, learnedS)
  return { ...NEW_COURSE, long: Math.min(MOST_LONG, learned), lifeS: lifeS + learnedS }
}

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
