import { isServiceError, type AskedService } from '../../core/index.js'
import { NoRecording } from './errors.js'

/** The answers of all services that can be reached. */
export async function askEach<I, O> (nodes: readonly AskedService<I, O>[], input: I): Promise<O[]> {
  return await Promise.all(nodes.filter(({ reachable }) => reachable).map(service => service.ask(input)))
}

const isMissing = (error: unknown): boolean => isServiceError(error) && error.code === new NoRecording('').code

/**
 * The answer of the one service that has the recording: all others say that they have none.
 * @throws PRN_ERR_NO_RECORDING; why a service that might have it cannot be asked
 */
export async function askOwner<I extends { readonly id: string }, O> (nodes: readonly AskedService<I, O>[],
  input: I): Promise<O> {
  const answers = await Promise.allSettled(nodes.map(service => service.ask(input)))
  const found = answers.find(answer => answer.status === 'fulfilled')
  if (found) return found.value
  const failure = answers.find(answer => answer.status === 'rejected' && !isMissing(answer.reason))
  throw failure?.status === 'rejected' ? failure.reason : new NoRecording(input.id)
}
