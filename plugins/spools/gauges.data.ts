import { defineGauge, type Kernel } from '../../core/index.js'
import { remainingOf, type Spool } from './types.js'

const nameOf = ({ name }: Spool): string => name.slice(0, 60)

/** Spools in slots come first, as only so many are shown. */
function inOrder ({ services: { spools } }: Kernel):
readonly { readonly spool: Spool, readonly printer: string, readonly place: string }[] {
  const slots = new Map(spools.slots().flatMap(({ spool, printer, place }) =>
    spool ? [[spool.id, { printer, place }]] : []))
  const loaded = spools.all().filter(({ id }) => slots.has(id))
  const others = spools.all().filter(({ id }) => !slots.has(id))
  return [...loaded, ...others].map(spool => ({ spool, ...slots.get(spool.id) ?? { printer: '', place: '' } }))
}

export const gauges = [
  defineGauge({
    name: 'prnd_spool_remaining_grams',
    help: 'What is left on a spool, if known; printer and place are empty for one that is in no slot',
    labels: ['spool', 'name', 'material', 'color', 'printer', 'place'],
    read: kernel => inOrder(kernel).flatMap(({ spool, printer, place }) => {
      const left = remainingOf(spool)
      if (left === undefined) return []
      const { id, material, color } = spool
      return [{ labels: { spool: id, name: nameOf(spool), material, color, printer, place }, value: left }]
    })
  }),
  defineGauge({
    name: 'prnd_spools',
    help: 'Spools that are not archived, by material',
    labels: ['material'],
    read ({ services: { spools } }) {
      const counts = new Map<string, number>()
      for (const { material } of spools.all()) counts.set(material, (counts.get(material) ?? 0) + 1)
      return [...counts].map(([material, value]) => ({ labels: { material }, value }))
    }
  })
]
