import { Type, type Static } from 'typebox'
import { LANGUAGES } from '../../core/index.js'
import { Hours } from '../notify/index.js'

const Name = Type.String({ minLength: 1, maxLength: 64 })
const Target = Type.String({ minLength: 1, maxLength: 64, description: 'Name of a target of messages' })
const MOST = 512
const MOST_TARGETS = 16
const MOST_STEPS = 3

export const QuietSettings = Type.Object({
  hours: Type.Union([Hours('Such as `22:00-07:00`: the queue starts nothing in these hours'), Type.Null()], { description: 'Null: off' }),
  printers: Type.Array(Name, { maxItems: MOST, description: 'Names; with no groups either: all printers' }),
  groups: Type.Array(Name, { maxItems: MOST, description: 'Groups of the queue' }),
  lights_off: Type.Boolean({ description: 'Switch the lights of these printers off once they are idle in these hours' })
}, { additionalProperties: false })

export const ReportSettings = Type.Object({
  at: Type.Union([Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }), Type.Null()], { description: 'Such as `07:00`; null: off' }),
  targets: Type.Array(Target, { maxItems: MOST_TARGETS }),
  language: Type.Enum(LANGUAGES)
}, { additionalProperties: false })

export const WatchSettings = Type.Object({
  after_min: Type.Union([Type.Integer({ minimum: 1, maximum: 1_440 }), Type.Null()], {
    description: 'Minutes until the next one is told of an alert that nobody has acknowledged; null: off'
  }),
  steps: Type.Array(Target, { maxItems: MOST_STEPS, description: 'Who is told second, third and fourth' }),
  language: Type.Enum(LANGUAGES)
}, { additionalProperties: false })

export const Settings = Type.Object({
  time_zone: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], { description: 'Such as `Europe/Berlin`; null: that of the machine' }),
  quiet: QuietSettings,
  report: ReportSettings,
  watch: WatchSettings
}, { 'x-name': 'NightSettings' })
export type Settings = Static<typeof Settings>

/** Everything is off. */
export const OFF: Settings = {
  time_zone: null,
  quiet: { hours: null, printers: [], groups: [], lights_off: false },
  report: { at: null, targets: [], language: 'en' },
  watch: { after_min: null, steps: [], language: 'en' }
}
