import { Type } from 'typebox'
import { Refused, type AnyOperation, type Kernel, type PrinterContext, type PrinterSession } from '../../core/index.js'
import type { Client } from './options.js'

/** Who did it, for alerts, history and log. */
export const surfaceOf = ({ name }: Client): string => `relay (${name})`

/**
 * Does work of a client as the operation that it amounts to: with its access and guards, and told of like it.
 * @throws what these or the work throw
 */
export async function actAs<T> (kernel: Pick<Kernel, 'call' | 'operations' | 'signal'>, name: string, printer: string,
  client: Client, work: (session: PrinterSession) => Promise<T>): Promise<T> {
  const known = kernel.operations.get(name)
  if (known === undefined) throw new Refused(printer, 'this', 'this service has no such operation')
  const act: AnyOperation = {
    ...known,
    input: Type.Object({}),
    output: Type.Object({}),
    run: context => work((context as PrinterContext).session)
  }
  return await kernel.call(act, {}, { printer, surface: surfaceOf(client), signal: kernel.signal }) as T
}
