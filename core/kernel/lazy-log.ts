import type { FastifyBaseLogger } from 'fastify'

type Child = Parameters<FastifyBaseLogger['child']>
type Line = Parameters<FastifyBaseLogger['info']>

/**
 * A child logger that is made at its first line. Every request is given one, most write nothing, and making one
 * takes longer than many an answer.
 */
class LazyLog {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Child[0]
  readonly #options: Child[1]
  #made: FastifyBaseLogger | undefined

  constructor (parent: FastifyBaseLogger, bindings: Child[0], options: Child[1]) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get #log (): FastifyBaseLogger { return (this.#made ??= this.#parent.child(this.#bindings, this.#options)) }

  get level () { return this.#log.level }
  set level (name) { this.#log.level = name }
  child (...settings: Child) { return this.#log.child(...settings) }

  trace (...line: Line) { this.#log.trace(...line) }
  debug (...line: Line) { this.#log.debug(...line) }
  info (...line: Line) { this.#log.info(...line) }
  warn (...line: Line) { this.#log.warn(...line) }
  error (...line: Line) { this.#log.error(...line) }
  fatal (...line: Line) { this.#log.fatal(...line) }
  silent (...line: Line) { this.#log.silent(...line) }
}

export const lazyChild = (parent: FastifyBaseLogger, bindings: Child[0], options: Child[1]): FastifyBaseLogger =>
  new LazyLog(parent, bindings, options) as FastifyBaseLogger
