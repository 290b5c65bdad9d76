import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { NoSpool } from '../spools/index.js'
import type { Outcome } from './scales.js'

const OrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const round = (value: number): number => Math.round(value * 100) / 100
const orNull = (value: number | undefined): number | null => value === undefined ? null : round(value)

export const ScalesView = Type.Object({
  topic: Type.String({ description: 'Topics of scales begin with it; empty: switched off' }),
  connected: Type.Boolean({ description: 'The MQTT broker answers' }),
  scales: Type.Array(Type.Object({
    name: Type.String(),
    grams: OrNull('What it shows; null: nothing yet'),
    at: OrNull('ms since the epoch'),
    outcome: Type.Union([Type.Object({
      at: Type.Number({ description: 'ms since the epoch' }),
      spool: Type.String({ description: 'Id; empty when unknown' }),
      left_g: OrNull('What is left on it, g'),
      error_g: OrNull('Counted too little before, g; null for a first weighing'),
      problem: Type.String({ description: 'Why it was not weighed; empty when it was' })
    }), Type.Null()], { description: 'What came of the last spool' })
  })),
  chosen: Type.Union([Type.Object({
    spool: Type.String(), scale: Type.String({ description: 'Empty: any' }), until: Type.Number({ description: 'ms since the epoch' })
  }), Type.Null()], { description: 'The spool that somebody is about to put on a scale' })
}, { 'x-name': 'SpoolScales' })

const outcomeView = ({ at, spool, leftGrams, errorGrams, problem }: Outcome) =>
  ({ at, spool, left_g: orNull(leftGrams), error_g: orNull(errorGrams), problem })

export const readScales = operation({
  name: 'spool-scale.read',
  summary: 'Scales that were heard, and what they weighed',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: ScalesView,
  run ({ services: { spoolScale } }) {
    const { topic, isConnected, scales } = spoolScale
    const { chosen } = scales
    return {
      topic,
      connected: isConnected(),
      scales: scales.list().map(({ name, grams, at, outcome }) => ({
        name,
        grams: orNull(grams),
        at: at ?? null,
        outcome: outcome ? outcomeView(outcome) : null
      })),
      chosen: chosen ? { spool: chosen.spool, scale: chosen.scale, until: chosen.until } : null
    }
  }
})

export const chooseForScale = operation({
  name: 'spool-scale.choose',
  summary: 'Say which spool is put on a scale next',
  effect: 'write',
  scope: 'daemon',
  consequence: 'What the scale shows within five minutes becomes what is left on the spool; nothing on a printer changes.',
  input: Type.Object({
    spool: Type.String({ maxLength: 64, description: 'Its id; empty: none after all' }),
    scale: Type.Optional(Type.String({ maxLength: 40, description: 'Left out: any' }))
  }),
  output: Type.Object({ spool: Type.String() }),
  errors: [NoSpool],
  async run ({ services: { spoolScale, spools }, askedBy }, { spool, scale = '' }) {
    await spools.known()
    if (spool !== '' && !spools.all().some(({ id }) => id === spool)) throw new NoSpool(spool)
    spoolScale.scales.choose(spool, scale, askedBy)
    return { spool }
  }
})
