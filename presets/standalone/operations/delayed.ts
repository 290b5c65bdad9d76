import { setTimeout as sleep } from 'node:timers/promises'
import type { TObject, TSchema } from 'typebox'
import { operation, accessOf, type Operation } from '../../../core/index.js'

/**
 * The same operation with a delayed answer: printers take a while to report what was set. The wait ends when the caller
 * disconnects.
 */
export const later = <I extends TObject, O extends TSchema>(inner: Operation<'printer', I, O>, ms: number) =>
  operation({
    ...inner,
    name: `standalone.${inner.name.replace(/\W/g, '')}Later`,
    guards: [],
    access: accessOf(inner),
    async run ({ kernel, session, signal, log }, input) {
      const outcome = await kernel.call(inner, input as never, { printer: session.name, signal, log })
      await sleep(ms, undefined, { signal })
      return outcome as never
    }
  }) as Operation<'printer', I, O>
