import { Type, type Static } from 'typebox'
import { DIRECTIONS, LEAST_MM } from './travels.js'
import { WHY } from './why-not.js'

/** Longest that is fed at once, mm of filament. */
export const MOST_FILAMENT_MM = 50

const WhyView = Type.Union([
  Type.Object({
    code: Type.Enum(WHY),
    message: Type.String({ description: 'The reason, and what to do' })
  }),
  Type.Null()
], { description: 'Why not; null: it may' })

const Nozzle = Type.Enum(['only', 'right', 'left'])

export const MotionView = Type.Object({
  printer: Type.String(),
  may_act: Type.Boolean({ description: 'The caller may move it' }),
  why: WhyView,
  homed: Type.Union([
    Type.Object({ x: Type.Boolean(), y: Type.Boolean(), z: Type.Boolean() }), Type.Null()
  ], { description: 'Axes whose position the printer knows; null: it does not report them' }),
  moves: Type.Array(Type.Object({
    direction: Type.Enum(DIRECTIONS, { description: 'As a person in front of the printer sees it' }),
    part: Type.Enum(['head', 'bed'], { description: 'What moves' }),
    closer: Type.Boolean({ description: 'Nozzle and plate come closer, or the nozzle may still be in a part: wants `plate_is_clear`' }),
    most_mm: Type.Number({ description: 'Longest distance of one act' }),
    why: WhyView
  }), { description: 'Empty for an unknown model' }),
  extrude: Type.Object({
    why: WhyView,
    nozzle: Type.Union([Nozzle, Type.Null()], { description: 'The active one; null: not known' }),
    nozzle_c: Type.Union([Type.Number(), Type.Null()], { description: 'Its temperature, °C' }),
    least_c: Type.Union([Type.Number(), Type.Null()], { description: 'What it needs, °C' }),
    material: Type.String({ description: 'Of the filament in it; empty when unknown' }),
    most_mm: Type.Number({ description: 'Longest length of one act' })
  }, { description: 'Filament' })
}, { 'x-name': 'Motion' })
export type MotionView = Static<typeof MotionView>

export const PlateIsClear = Type.Optional(Type.Boolean({
  description: 'Somebody has just looked: nothing lies on the plate, and nothing is in the way'
}))

const JobStart = Type.Optional(Type.Number({
  description: 'With `plate_is_clear`, the `wall_start_time` of the last job when they looked, -1 for none: refused after another one'
}))

export const Home = Type.Object({ plate_is_clear: PlateIsClear, job_start: JobStart })

export const Move = Type.Object({
  direction: Type.Enum(DIRECTIONS, { description: 'As seen from the front: `up` and `down` move the bed, on the A1 and A2 series the head' }),
  distance_mm: Type.Number({ minimum: LEAST_MM, maximum: 50, description: 'At most 50, up and down at most 10' }),
  plate_is_clear: PlateIsClear,
  job_start: JobStart
})

export const Extrude = Type.Object({
  direction: Type.Enum(['extrude', 'retract'], { description: '`extrude` pushes filament out of the nozzle, `retract` pulls it back' }),
  length_mm: Type.Number({ minimum: LEAST_MM, maximum: MOST_FILAMENT_MM, description: 'mm of filament' }),
  nozzle: Type.Optional(Type.Enum(['right', 'left'], {
    description: 'On printers with two, the one that is meant: refused unless it is the active one'
  }))
})

export const Confirmation = Type.Object({
  confirmed: Type.Boolean({ description: 'The printer answered; many commands are never answered' })
})
