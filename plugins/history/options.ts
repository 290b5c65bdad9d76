import { Type, type Static } from 'typebox'

/** Of those that nobody has chosen. */
export const USUAL_BOUNDS = { keepDays: 0, keepTelemetryDays: 365, keepTelemetryMiB: 2_048 }

const Days = (description: string, days: number) =>
  Type.Integer({ minimum: 0, maximum: 36_500, default: days, description })

export const Options = Type.Object({
  prices: Type.Optional(Type.Record(Type.String(), Type.Number({ minimum: 0 }), {
    default: {}, description: 'Price per kilogram by material, `{ "PLA": 20 }`: prints then have a cost. Left out: those that were set on the page'
  })),
  keepDays: Days('How long records of prints are kept; 0: for ever. Statistics still count deleted prints', USUAL_BOUNDS.keepDays),
  keepTelemetryDays: Days('How long their telemetry and pictures are kept; 0: as long as there is space', USUAL_BOUNDS.keepTelemetryDays),
  keepTelemetryMiB: Type.Integer({
    minimum: 0, default: USUAL_BOUNDS.keepTelemetryMiB, description: 'Limit for the telemetry of all prints; the oldest is deleted first. 0: no limit'
  })
})
export type Options = Static<typeof Options>
