import type { FastifyBaseLogger } from 'fastify'
import type { JobHealth } from '../camera/index.js'
import type { Monitor } from './monitor/index.js'

/** What the live page shows. */
export const jobHealthOf = (monitor: Pick<Monitor, 'of'>, log: FastifyBaseLogger): JobHealth => ({
  result: printer => monitor.of(printer).result,
  async image (printer, kind) {
    try {
      return (await monitor.of(printer).pictures?.live())?.[kind]
    } catch (error) {
      log.error({ err: error, printer }, 'the pictures of the job monitor cannot be made')
      return undefined
    }
  }
})
