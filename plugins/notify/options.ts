import { Type, type Static } from 'typebox'
import { BadConfig, closestMatch, validationError, type ConnectionSpec } from '../../core/index.js'
import { createWallClock, DAYS, Hours, type WallClock } from './hours.js'
import { readsSecrets } from './targets/read-secrets.js'
import { templateProblem } from './template.js'
import { NotDelivered, type Attachment, type MessageTargetKind, type SendMessage } from './targets/types.js'

export const Name = Type.String({ pattern: '^[A-Za-z0-9][\\w .-]{0,39}$' })

const SEVERITIES = ['high', 'medium', 'low'] as const

/** Default alerts of a rule. */
export const USUAL_ALERTS = ['job_finished', 'job_failed', 'job_paused', 'hms_error_new', 'health_escalated'] as const

export const RuleSchema = Type.Object({
  to: Type.Array(Name, { default: [], maxItems: 16, description: 'Names of targets' }),
  alerts: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    default: [...USUAL_ALERTS], description: 'Types of alerts; `*` for all'
  }),
  codes: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z0-9_*-]{1,40}$' }), {
    minItems: 1, maxItems: 256, description: 'Only faults and pauses with these codes, such as `HMS_0700-*`'
  })),
  ignore: Type.Boolean({ default: false, description: 'Matching alerts are not sent, regardless of other rules' }),
  printers: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Names. Default: all' })),
  severity: Type.Enum(SEVERITIES, { default: 'low', description: 'Lowest severity that is sent' }),
  hours: Type.Optional(Hours('When it applies, such as `07:00-22:00`; `22:00-07:00` is a night')),
  days: Type.Optional(Type.Array(Type.Enum(DAYS), { minItems: 1, description: 'Days on which it applies' })),
  everyMinutes: Type.Integer({
    default: 0, minimum: 0, maximum: 10_080, description: 'At most one message per type and printer in this time'
  }),
  urgent: Type.Boolean({ default: false, description: 'Sent in quiet hours too' }),
  attach: Type.Enum(['none', 'picture', 'clip'], {
    default: 'none',
    description: 'If the target supports it: a camera picture, or a picture and a recorded clip'
  }),
  title: Type.Optional(Type.String({ maxLength: 500, description: 'Replaces the default title; may contain `{{…}}`' })),
  text: Type.Optional(Type.String({ maxLength: 4_000, description: 'Likewise' }))
}, { additionalProperties: false })
export type Rule = Static<typeof RuleSchema>

export const Options = Type.Object({
  targets: Type.Record(Name, Type.Object({ type: Type.String({ description: 'webhook, ntfy, telegram, …' }) },
    { additionalProperties: true }), {
    default: {}, maxProperties: 64, description: 'Where messages are sent, by a name of your choice'
  }),
  rules: Type.Array(RuleSchema, { default: [], maxItems: 256, description: 'Which alerts are sent where' }),
  quiet: Type.Optional(Hours('Only urgent messages are sent during these hours, such as `22:00-07:00`; others wait')),
  timeZone: Type.Optional(Type.String({ description: 'Time zone of all hours, such as `Europe/Berlin`. Default: that of the machine' })),
  push: Type.Object({
    contact: Type.String({
      default: 'mailto:operator@prnd.example', pattern: '^(mailto:|https://)', description: 'Your address, for push services: `mailto:` or `https:`'
    }),
    services: Type.Array(Type.String({ minLength: 1 }), {
      default: [], maxItems: 8, description: 'Hosts of further push services, with a port unless it is 443'
    })
  }, { default: {}, description: 'Messages to browsers' }),
  giveUpAfterHours: Type.Integer({ default: 24, minimum: 1, maximum: 168, description: 'How long a message is retried' })
})
export type Options = Static<typeof Options>

/** The options with those of each kind of target. */
export const completeOptions = (kinds: readonly MessageTargetKind[]) => Type.Object({
  ...Options.properties,
  targets: Type.Record(Name, Type.Union(kinds.map(({ type, options }) =>
    Type.Object({ type: Type.Literal(type), ...options.properties }))))
})

/** A target of the configuration, ready to send. */
export interface Target {
  readonly name: string
  readonly type: string
  readonly send: SendMessage
  readonly takes: Readonly<Partial<Record<Attachment['kind'], number>>>
}

const WHERE = 'plugins.notify'
/** Options that contain a target's address; other kinds have a fixed one. */
export const PLACES = ['url', 'server', 'broker', 'host'] as const

/** A target in the list of connections. */
export function connectionOf (name: string, type: string, options: Readonly<Record<string, unknown>>): ConnectionSpec {
  const place = PLACES.map(key => options[key]).find(value => typeof value === 'string')
  return { name: `notify.${name}`, plugin: 'notify', what: `the target '${name}' of messages`, address: String(place ?? type) }
}

export interface TargetsContext {
  readonly kinds: readonly MessageTargetKind[]
  /** A plugin was skipped: messages for targets of unknown kinds wait until it is loaded again. */
  readonly lacksPlugins?: boolean
  readonly mask: (secret: string) => void
  readonly now: () => number
}

function unknown (what: string, name: string, known: readonly string[]): string {
  const close = closestMatch(name, [...known])
  return `there is no ${what} '${name}'${close === undefined ? '' : `; did you mean '${close}'?`}`
}

/** A target that refuses every message for the time being. */
export const unusableTarget = (name: string, type: string, problem: string): Target => ({
  name, type, takes: {}, send: async () => { throw new NotDelivered(problem) }
})

/** @throws PRN_ERR_CONFIG for a target whose kind or options are wrong */
export async function openTargets ({ targets }: Options, { kinds, lacksPlugins = false, mask, now }: TargetsContext):
Promise<ReadonlyMap<string, Target>> {
  const opened = new Map<string, Target>()
  for (const [name, { type, ...given }] of Object.entries(targets)) {
    const where = `${WHERE}.targets.${name}`
    const kind = kinds.find(one => one.type === type)
    if (kind === undefined && lacksPlugins) {
      opened.set(name, unusableTarget(name, type, `no running plugin sends messages by '${type}'`))
      continue
    }
    if (kind === undefined) throw new BadConfig(`${where}: ${unknown('type', type, kinds.map(one => one.type))}`)
    const options = structuredClone(given)
    const problem = validationError({ ...kind.options, additionalProperties: false } as never, options)
    if (problem !== undefined) throw new BadConfig(`${where}: ${problem}`)
    const send = await kind.create(options, { ...readsSecrets(where, mask), where, now })
    opened.set(name, { name, type, send, takes: kind.takes ?? {} })
  }
  return opened
}

/** @throws PRN_ERR_CONFIG for a contradictory rule */
export function checkRules ({ rules, targets }: Options): void {
  for (const [at, { to, ignore, title, text }] of rules.entries()) {
    const where = `${WHERE}.rules[${at}]`
    if (ignore !== (to.length === 0)) throw new BadConfig(`${where}: give either \`to\` or \`ignore: true\``)
    const missing = to.find(name => !Object.hasOwn(targets, name))
    if (missing !== undefined) throw new BadConfig(`${where}.to: ${unknown('target', missing, Object.keys(targets))}`)
    const problem = templateProblem([title, text])
    if (problem !== undefined) throw new BadConfig(`${where}: ${problem}`)
  }
}

/** @throws PRN_ERR_CONFIG for a time zone that does not exist */
export function wallClockOf ({ timeZone }: { readonly timeZone?: string | undefined }): WallClock {
  try {
    return createWallClock(timeZone)
  } catch {
    throw new BadConfig(`${WHERE}.timeZone: there is no '${timeZone}'; names are such as 'Europe/Berlin'`)
  }
}
