import { Type } from 'typebox'
import { Refused, type AnyOperation, type Kernel, type PrinterContext, type PrinterSession } from '../../core/index.js'
import type { Client } from './options.js'

/** Names the client in alerts, history and log. */
export const surfaceOf = ({ name }: Client): string => `relay (${name})`

/**
 * Runs a client's request as the corresponding operation, with the same access rules, guards and events.
 * @param work calls `check` to ask the guards and the client's access once more, after something that takes long
 * @throws errors of these and of the work
 */
export async function actAs<T> (kernel: Pick<Kernel, 'call' | 'operations'>, name: string, printer: string,
  client: Client, work: (session: PrinterSession, check: () => Promise<void>) => Promise<T>): Promise<T> {
  const known = kernel.operations.get(name)
  if (known === undefined) throw new Refused(printer, 'this', 'this service has no such operation')
  const act: AnyOperation = {
    ...known,
    input: Type.Object({}),
    output: Type.Any(), // what the work answers goes to the client's protocol
    run (context) {
      client.signal.throwIfAborted()
      return work((context as PrinterContext).session, async () => {
        for (const guard of known.guards ?? []) await guard(context as PrinterContext, known)
        client.signal.throwIfAborted()
      })
    }
  }
  return await kernel.call(act, {}, { printer, surface: surfaceOf(client), signal: client.signal }) as T
}
