import type { Clock } from './clock.js'
import { isJson, type Json } from './json-merge.js'
import { isActive, stepMachine } from './machine/step.js'
import type { Machine } from './machine/types.js'
import { playRecording, type Playback, type PlayOptions, type RecordedFrame } from './recording.js'
import { createReporter } from './reporter.js'

/** Publishes reports on the report topic. */
export interface Stream {
  current (): Json
  patch (fields: Json): void
  /** Starts the clock and the periodic reports. */
  start (): void
  stop (): void
  /** Sends a report at once, as the family does. */
  reportNow (): void
  /** Sends a report a moment later; several calls share one. */
  reportSoon (): void
  /** A client has subscribed. */
  subscribed (): void
  /** A request of the `pushing` section. */
  pushed (command: string): void
  play (frames: readonly RecordedFrame[], options?: PlayOptions): Playback
}

export interface StreamOptions {
  readonly machine: Machine
  readonly clock: Clock
  readonly speed: number
  /** Real ms between reports while the printer is busy. */
  readonly reportEveryMs: number
  readonly isHeard: () => boolean
  readonly say: (document: Readonly<Json>) => void
  /** Publishes text verbatim. */
  readonly sayRaw: (text: string) => void
}

/** Real time between a command and the report that shows its effect. */
const REPORT_AFTER_MS = 100

const isFull = ({ payload }: RecordedFrame): boolean =>
  isJson(payload) && isJson(payload.print) && payload.print.msg === 0

export function createStream (options: StreamOptions): Stream {
  const { machine, clock, speed, reportEveryMs } = options
  /** False after a client has stopped the periodic reports. */
  let flowing = true
  let last = 0
  let lastPeriodic = 0
  let endTicks: (() => void) | undefined
  let cancelSoon: (() => void) | undefined
  let playing: { readonly playback: Playback, full: RecordedFrame | undefined } | undefined

  const reporter = createReporter({
    machine,
    say: options.say,
    isHeard: () => playing === undefined && options.isHeard()
  })

  const sayFrame = ({ payload }: RecordedFrame): void =>
    typeof payload === 'string' ? options.sayRaw(payload) : options.say(payload)

  const turned = (): void => { if (flowing) reporter.reportChanges() }

  const tick = (): void => {
    const now = clock.now()
    stepMachine(machine, now - last, turned)
    last = now
    const pace = isActive(machine) ? reportEveryMs : Math.max(reportEveryMs, machine.traits.idleEveryMs)
    // Half a tick early is as good as on time: timers are not exact.
    if (!flowing || now - lastPeriodic < (pace - reportEveryMs / 2) * speed) return
    lastPeriodic = now
    reporter.periodic()
  }

  return {
    current: reporter.current,
    patch: reporter.patch,
    reportNow: reporter.reportChanges,
    start () {
      if (endTicks !== undefined) return
      last = lastPeriodic = clock.now()
      endTicks = clock.every(reportEveryMs * speed, tick)
    },
    stop () {
      endTicks?.()
      cancelSoon?.()
      playing?.playback.stop()
      endTicks = cancelSoon = playing = undefined
    },
    reportSoon () {
      cancelSoon ??= clock.after(REPORT_AFTER_MS * speed, () => { cancelSoon = undefined; reporter.reportChanges() })
    },
    subscribed () {
      flowing = true
      reporter.reportFirst()
    },
    pushed (command) {
      if (command === 'start' || command === 'stop') flowing = command === 'start'
      if (command !== 'pushall') return
      if (playing?.full === undefined) reporter.full()
      else sayFrame(playing.full)
    },
    play (frames, playOptions) {
      playing?.playback.stop()
      const current = { playback: playRecording(frames, clock, show, playOptions), full: frames.find(isFull) }
      function show (frame: RecordedFrame): void {
        if (isFull(frame)) current.full = frame
        sayFrame(frame)
      }
      playing = current
      current.playback.done.then(() => { if (playing === current) playing = undefined })
      return current.playback
    }
  }
}
