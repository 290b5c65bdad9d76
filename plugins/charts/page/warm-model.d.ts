export type Point = readonly [at: number, value: number]
export interface Line {
  readonly name: string
  readonly points: readonly Point[]
  readonly targets: readonly Point[]
  readonly off: number | undefined
  readonly least: number
  readonly greatest: number
  readonly mean: number
}
export function valueAt (points: readonly Point[], at: number): number | undefined
export function statisticsOf (points: readonly Point[]): Pick<Line, 'least' | 'greatest' | 'mean'>
export function linesOf (series: ReadonlyMap<string, readonly Point[]>): Line[]
