export const SPANS: string[]
export function sinceOf (span: string, now: number): number | undefined
export function firstDayOf (language: string): number
export function unitOf (span: string, from: number, now: number): string
export function periodsOf (options: { unit: string, from: number, now: number, firstDay: number }): number[]
