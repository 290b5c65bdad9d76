import type { MetricSource } from './metric.js'

interface Count<Label extends string> { readonly labels: Readonly<Record<Label, string>>, value: number }

/** Counts by labels; whoever counts often keeps what `of` gave. */
export function createCounter<Label extends string> (name: string, help: string, labelNames: readonly Label[]) {
  const counts = new Map<string, Count<Label>>()
  const figure: MetricSource = { name, help, type: 'counter', read: () => [...counts.values()] }
  return {
    figure,
    of (labels: Readonly<Record<Label, string>>): { value: number } {
      const key = JSON.stringify(labelNames.map(label => labels[label]))
      const count = counts.get(key) ?? { labels, value: 0 }
      counts.set(key, count)
      return count
    },
    forget (label: Label, text: string): void {
      for (const [key, { labels }] of counts) if (labels[label] === text) counts.delete(key)
    }
  }
}
