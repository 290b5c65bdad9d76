import { Type, type Static } from 'typebox'

const Days = (description: string, days: number) =>
  Type.Integer({ minimum: 0, maximum: 36_500, default: days, description })

export const Options = Type.Object({
  prices: Type.Optional(Type.Record(Type.String(), Type.Number({ minimum: 0 }), {
    default: {}, description: 'Price per kilogram by material, `{ "PLA": 20 }`: prints then have a cost'
  })),
  keepDays: Days('How long records of prints are kept; 0: for ever. Statistics still count deleted prints', 0),
  keepTelemetryDays: Days('How long their telemetry and pictures are kept; 0: as long as there is space', 365),
  keepTelemetryMiB: Type.Integer({
    minimum: 0, default: 2048, description: 'Limit for the telemetry of all prints; the oldest is deleted first. 0: no limit'
  })
})
export type Options = Static<typeof Options>
