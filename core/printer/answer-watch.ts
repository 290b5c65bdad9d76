import type { Command } from './mqtt/command.js'

/** Printers answer within a second or not at all. */
export const ANSWER_WITHIN_MS = 10_000
/** Successive commands without an answer that raise suspicion. Many commands are never answered. */
export const FEWEST_UNANSWERED = 3
/** Every printer answers a version request. */
export const PROBE_WITHIN_MS = 15_000
/** Some printers take minutes to read a project, and fail if the connection ends meanwhile. */
export const START_TAKES_MS = 240_000
/** Intervals between reconnections because of unanswered commands. */
const PAUSES_MS = [60_000, 300_000, 900_000, 3_600_000] as const

/** Decides whether a printer that sends reports also accepts commands. The caller sends and reconnects. */
export interface AnswerWatch {
  /** Commands are not answered, and neither was the version request. */
  readonly isDeaf: boolean
  sent (command: Command, now: number): void
  /** The printer answered one of our commands. */
  answered (command: string): void
  /** The version report arrived. */
  versionsCame (): void
  /** A new connection, on which the versions were requested. */
  restart (now: number): void
  /** @returns `probe` if the versions must be requested now, `renew` if the connection must be reopened */
  check (now: number): 'none' | 'probe' | 'renew'
}

export function createAnswerWatch (): AnswerWatch {
  let unanswered: { readonly name: string, readonly at: number }[] = []
  /** Commands that this printer has answered before. */
  const answers = new Set<string>()
  let probedAt: number | undefined
  let projectSentAt = -Infinity
  let isDeaf = false
  let renewals = 0
  let renewedAt = -Infinity

  function takesCommands (): void {
    unanswered = []
    probedAt = undefined
    isDeaf = false
  }

  const overdue = (now: number) => unanswered.filter(({ at }) => now - at >= ANSWER_WITHIN_MS)
  const isProbeOverdue = (now: number) => probedAt !== undefined && now - probedAt >= PROBE_WITHIN_MS

  function renewWhenAllowed (now: number): 'none' | 'renew' {
    isDeaf = true
    const pause = renewals === 0 ? 0 : PAUSES_MS[Math.min(renewals, PAUSES_MS.length) - 1] ?? 0
    if (now - renewedAt < pause || now - projectSentAt < START_TAKES_MS) return 'none'
    renewals++
    renewedAt = now
    return 'renew'
  }

  return {
    get isDeaf () { return isDeaf },
    sent ({ section, command = section }, now) {
      if (section === 'pushing' || section === 'info') return
      if (command === 'project_file') projectSentAt = now
      if (unanswered.length < FEWEST_UNANSWERED) unanswered.push({ name: command, at: now })
    },
    answered (command) {
      answers.add(command)
      renewals = 0
      takesCommands()
    },
    versionsCame: takesCommands,
    restart (now) {
      unanswered = []
      probedAt = isDeaf ? now : undefined
    },
    check (now) {
      if (isProbeOverdue(now)) return renewWhenAllowed(now)
      const late = overdue(now)
      if (probedAt !== undefined || late.length < FEWEST_UNANSWERED) return 'none'
      if (late.every(({ name }) => answers.has(name))) return renewWhenAllowed(now)
      probedAt = now
      return 'probe'
    }
  }
}
