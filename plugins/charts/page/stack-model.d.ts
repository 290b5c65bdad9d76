export interface Series {
  readonly name: string
  readonly value: number
  readonly color: string
  readonly count: number
}
type Group = object
export function seriesOf (groups: readonly Group[], measure: string, order: string): Series[]
export function partsOf (groups: readonly Group[], series: readonly Series[], measure: string): Series[]
export function topOf (greatest: number): number
