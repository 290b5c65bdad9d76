import { Type, type Static } from 'typebox'
import { BadInput, mayUse, operation, type Language } from '../../core/index.js'
import { entryWording } from '../audit/index.js'
import { SettingsChanged } from '../database/index.js'
import { DAY_MS, reportUntil, type Report } from './report.js'
import { QuietSettings, ReportSettings, Settings, WatchSettings } from './settings.js'
import { reportWords } from './words.js'

const MOST_ACTS = 50
const LONGEST_AGO_MS = 366 * DAY_MS
const Time = (description: string) => Type.Integer({ description: `${description}, ms since the epoch` })
const names = (description: string) => Type.Array(Type.String(), { description })

const Act = Type.Object({
  at: Time('When'),
  kind: Type.Enum(['report', 'watch', 'lights']),
  printer: Type.String({ description: 'Empty for none' }),
  detail: Type.String({ description: 'Who was told, or why it did not work' })
})

const NightView = Type.Object({
  settings: Settings,
  revision: Type.Integer({ description: 'Of the settings: raised by each change' }),
  quiet_now: Type.Boolean({ description: 'The queue starts nothing on these printers now' }),
  targets: names('Targets of messages to choose from'),
  groups: names('Groups of the queue'),
  printers: names('All printers'),
  acts: Type.Array(Act, { description: 'What was done last' }),
  may_change: Type.Boolean({ description: 'The caller may change this' })
}, { 'x-name': 'Night' })

const Who = Type.Object({ printer: Type.String(), name: Type.String() })

export const ReportView = Type.Object({
  from: Time('Begin'),
  until: Time('End'),
  title: Type.String(),
  text: Type.String({ description: 'As it is sent' }),
  printed: Type.Object({
    prints: Type.Integer({ description: 'That ended in this time' }),
    finished: Type.Integer(),
    failed: Type.Integer(),
    cancelled: Type.Integer(),
    unknown: Type.Integer(),
    hours: Type.Number(),
    grams: Type.Number(),
    cost: Type.Union([Type.Number(), Type.Null()], { description: 'Of filament, in the currency of the prices; null when no price is known' })
  }),
  energy: Type.Union([Type.Object({
    wh: Type.Number(),
    cost: Type.Union([Type.Number(), Type.Null()], { description: 'Null when no price is known' }),
    currency: Type.String({ description: 'Of its price; empty when none is set' }),
    prints: Type.Integer({ description: 'Those that were measured' })
  }), Type.Null()], { description: 'Of these prints, measured at plugs; null when none was' }),
  failures: Type.Array(Type.Object({
    ...Who.properties, id: Type.String({ description: 'Of the print' }), result: Type.String(), why: Type.String()
  })),
  running: Type.Integer({ description: 'Prints that go on' }),
  plates: Type.Array(Type.Object({ printer: Type.String() }), { description: 'To clear, so that waiting jobs can begin' }),
  blocked: Type.Array(Type.Object({ job: Type.String(), name: Type.String(), reason: Type.String() })),
  spools: Type.Array(Type.Object({
    printer: Type.String(), place: Type.String(), material: Type.String(), left_g: Type.Number()
  }), { description: 'With 50 g or less' }),
  maintenance: Type.Array(Type.Object({ ...Who.properties, task: Type.String(), own: Type.Boolean() }), { description: 'Due tasks' }),
  elsewhere: names('Printers in the record that this service does not have: their spools and maintenance are not looked at'),
  alerts: Type.Object({
    count: Type.Integer({ description: 'That nobody has acknowledged' }),
    newest: Type.Array(Type.Object({ at: Type.String(), printer: Type.String(), type: Type.String() }))
  }),
  acted: Type.Array(Type.Object({
    at: Time('When'),
    who: Type.String(),
    surface: Type.String({ description: 'Such as `rules`' }),
    act: Type.String({ description: 'The operation' }),
    words: Type.String({ description: 'What it does, in words' }),
    printer: Type.Union([Type.String(), Type.Null()]),
    outcome: Type.String({ description: '`done`, or why not' }),
    outcome_words: Type.String({ description: 'The outcome, in words' })
  }), { description: 'What was done without a person, as in the audit log' })
}, { 'x-name': 'NightReport' })

type Wording = ReturnType<typeof entryWording>

const viewOf = (report: Report, inWords: Wording, language: Language): Static<typeof ReportView> => ({
  ...report,
  ...reportWords(report, language),
  failures: [...report.failures],
  plates: [...report.plates],
  blocked: [...report.blocked],
  spools: [...report.spools],
  maintenance: [...report.maintenance],
  elsewhere: [...report.elsewhere],
  alerts: { count: report.alerts.count, newest: [...report.alerts.newest] },
  acted: report.acted.map(act => ({ ...act, ...inWords(act) }))
})

export const readNight = operation({
  name: 'night.read',
  summary: 'Quiet hours, the morning report and the watch, and what was done',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: NightView,
  async run ({ kernel, caller, services: { night } }) {
    const { value: settings, revision } = await night.read()
    const acts = await night.acts(MOST_ACTS)
    return {
      settings,
      revision,
      quiet_now: night.isQuietNow(),
      ...night.choices(),
      acts: acts.map(({ at, kind, printer, detail }) => ({ at, kind: kind as 'report', printer, detail })),
      may_change: mayUse(kernel, changeNight, caller)
    }
  }
})

export const changeNight = operation({
  name: 'night.change',
  summary: 'Change quiet hours, the morning report or the watch',
  effect: 'write',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The queue starts nothing in quiet hours, lights may go off, and messages go to these targets. Prints that run are not touched.',
  input: Type.Object({
    revision: Type.Optional(Type.Integer({ minimum: 0, description: 'Of the settings as they were read: refused if somebody changed them since' })),
    time_zone: Type.Optional(Settings.properties.time_zone),
    quiet: Type.Optional(Type.Partial(QuietSettings, { additionalProperties: false })),
    report: Type.Optional(Type.Partial(ReportSettings, { additionalProperties: false })),
    watch: Type.Optional(Type.Partial(WatchSettings, { additionalProperties: false }))
  }),
  output: Settings,
  errors: [SettingsChanged],
  run: ({ services: { night }, askedBy }, { revision, ...change }) => night.change(change, askedBy, revision)
})

export const readReport = operation({
  name: 'night.report',
  summary: 'What was printed in a day, what failed, and what needs a person',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    at: Type.Optional(Type.Integer({
      minimum: 0, description: 'The end of the day that it is about, in the last year, ms since the epoch; left out: now'
    })),
    language: Type.Optional(ReportSettings.properties.language)
  }),
  output: ReportView,
  async run (context, { at, language }) {
    const { kernel, services: { night } } = context
    const now = kernel.now()
    // Whoever may read must not make the service read its whole record.
    if (at !== undefined && (at < now - LONGEST_AGO_MS || at > now + DAY_MS)) throw new BadInput('at must be in the last year')
    const { value: settings } = await night.read()
    const lang = language ?? settings.report.language
    return viewOf(await reportUntil(context, at ?? now), entryWording(kernel, lang), lang)
  }
})
