// Which groups of a chart get a colour, and its axis. Pure.

const MOST = 5
const REST = 'rest'

/**
 * The largest groups, each with the class of its colour, and all others as one. A group keeps its colour in drawings of
 * other amounts.
 * @param {readonly any[]} groups @param {string} measure @param {string} order amount by which colours are given
 * @returns {{ name: string, value: number, color: string }[]}
 */
export function seriesOf (groups, measure, order) {
  const sorted = groups.filter(group => group[order] > 0 || group[measure] > 0).toSorted((a, b) => b[order] - a[order])
  const most = sorted.length === MOST + 1 ? MOST + 1 : MOST
  const named = sorted.slice(0, most)
    .map((group, at) => ({ name: group.name, value: group[measure], color: `c${at + 1}`, count: 1 }))
  const others = sorted.slice(most)
  const value = others.reduce((sum, group) => sum + group[measure], 0)
  const all = others.length === 0 ? named : [...named, { name: REST, value, color: REST, count: others.length }]
  return all.filter(one => one.value > 0)
}

/**
 * The amount of each series in a period.
 * @param {readonly any[]} groups @param {readonly any[]} series @param {string} measure
 */
export function partsOf (groups, series, measure) {
  const named = new Set(series.filter(({ color }) => color !== REST).map(({ name }) => name))
  return series.map(one => ({
    ...one,
    value: groups.filter(({ name }) => one.color === REST ? !named.has(name) : name === one.name)
      .reduce((sum, group) => sum + group[measure], 0)
  }))
}

const FACTORS = [1, 2, 2.5, 5, 10]

/** A round value at or above the greatest one, for the top of an axis of four steps. @param {number} greatest */
export function topOf (greatest) {
  if (!(greatest > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(greatest / 4))
  const step = FACTORS.map(factor => factor * power).find(one => one * 4 >= greatest) ?? greatest / 4
  return step * Math.ceil(greatest / step)
}
