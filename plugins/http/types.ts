import type { TSchema } from 'typebox'
import type { AnyErrorClass, Route } from '../../core/index.js'

/** A kind of failure, as far as the description tells of it. */
export type Failing = Pick<AnyErrorClass, 'code' | 'statusCode'>

/** How one HTTP interface says success and failure. */
export interface Dialect {
  /** There is one printer, and no parameter that names it. */
  readonly onePrinter?: boolean
  /** How the API description shows failures; by default as the daemon answers them. */
  readonly described?: {
    statusOf (failing: Failing): number
    readonly body: TSchema
  }
  success (output: unknown, route: Route): unknown
  failure (error: unknown, route: Route | undefined, debug: boolean): { status: number, body: unknown }
}
