/** When it began, by both clocks, and how fast it is. */
export interface WeekClock {
  /** ms since the epoch, by this machine. */
  readonly begun: number
  /** What the clock showed then. */
  readonly at: number
  readonly rate: number
}

/** The same in all processes, so that time goes on while a service is down. */
export const createWeekClock = ({ begun, at, rate }: WeekClock) => ({
  rate,
  now: (): number => Math.round(at + (Date.now() - begun) * rate)
})
export type Clock = ReturnType<typeof createWeekClock>
