import type { Collection } from './collections.js'
import { durationsOf, round, shown, TIME_DIGITS } from './documents.js'
import type { Recorder } from './recorder.js'

// What is written here is what JSON.stringify would write of the documents, in less time and without an object for each
// point: an hour of points is a megabyte of text, and nobody else is answered while it is made.

/** The beginning of every point with the comma before it, which all columns share. */
const beginnings = ({ ring }: Recorder): string[] =>
  Array.from(ring.times(), time => `,{"t":${round(time, TIME_DIGITS)},"v":`)

function pointsText ({ ring }: Recorder, column: number, begin: readonly string[]): string {
  const pieces: string[] = []
  const ends = new Map<number, string>() // the same few values come again and again
  ring.values(column).forEach((value, at) => {
    if (Number.isNaN(value)) return
    let end = ends.get(value)
    if (end === undefined) ends.set(value, end = `${JSON.stringify(shown(value))}}`)
    pieces.push(begin[at] as string, end)
  })
  return `[${pieces.join('').slice(1)}]`
}

const seriesText = (name: string, points: string) => `{"name":${JSON.stringify(name)},"data":${points}}`

/** The JSON of `dataOf`. */
export function dataText (recorder: Recorder, collections: readonly Collection[]): string {
  const begin = beginnings(recorder)
  const series = collections.map(({ name }, column) =>
    `${JSON.stringify(name)}:${seriesText(name, pointsText(recorder, column, begin))}`)
  return `{"collections":{${series.join(',')}},"gcode_state_durations":${JSON.stringify(durationsOf(recorder))},` +
    `"events":${JSON.stringify(recorder.marks)}}`
}

/** The JSON of one column by its name. */
export const namedText = (recorder: Recorder, name: string, column: number): string =>
  `{"field":${JSON.stringify(name)},"series":${seriesText(name, pointsText(recorder, column, beginnings(recorder)))}}`
