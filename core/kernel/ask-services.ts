import { isServiceError } from '../errors.js'
import type { AskedService } from './types.js'

/** The answers of all reachable services. */
export async function askEach<I, O> (services: readonly AskedService<I, O>[], input: I): Promise<O[]> {
  return await Promise.all(services.filter(({ reachable }) => reachable).map(service => service.ask(input)))
}

/**
 * Asks for an item that only one of the services has.
 * @param Missing the error of a service that does not have it
 * @throws that error; or why a service that might have it is not reachable
 */
export const askOwner = (Missing: { readonly code: string, new (id: string): Error }) =>
  async <I extends { readonly id: string }, O>(services: readonly AskedService<I, O>[], input: I): Promise<O> => {
    const answers = await Promise.allSettled(services.map(service => service.ask(input)))
    const found = answers.find(answer => answer.status === 'fulfilled')
    if (found) return found.value
    const failure = answers.find(answer => answer.status === 'rejected' &&
      !(isServiceError(answer.reason) && answer.reason.code === Missing.code))
    throw failure?.status === 'rejected' ? failure.reason : new Missing(input.id)
  }
