import {
  createRequestStateCodec, inputRequired, MissingRequiredClientCapabilityError,
  type ClientCapabilities, type InputRequests, type RequestStateCodec, type ServerContext as Extra
} from '@modelcontextprotocol/server'
import {
  CreateMessageResultSchema, ElicitResultSchema, ListRootsResultSchema, type ServerResult
} from '@modelcontextprotocol/sdk/types.js'
import { createHash, randomBytes } from 'node:crypto'
import { consentForm, consentIn, type AskConsent } from './consent.js'
import type { AskClient } from './contributions.js'
import { INVALID_PARAMS, MissingCapability, RpcError, Unanswered } from './rpc-error.js'

/** Requests to a client, with the capability each requires and the schema of its answer. */
const KINDS = {
  'elicitation/create': { capability: 'elicitation', answer: ElicitResultSchema },
  'sampling/createMessage': { capability: 'sampling', answer: CreateMessageResultSchema },
  'roots/list': { capability: 'roots', answer: ListRootsResultSchema }
} as const
type Kind = keyof typeof KINDS
const isKind = (method: string): method is Kind => Object.hasOwn(KINDS, method)

interface Question { readonly method: Kind, readonly params: object }
interface Answered { readonly to: string, readonly response: unknown }

/** Signed state that the client carries from one round to the next. */
interface State {
  /** Digest of the call: answers to another call are ignored. */
  readonly of: string
  /** Digests of the questions asked, by name. */
  readonly asked: readonly (readonly [name: string, digest: string])[]
  /** Answers from earlier rounds, which the client does not send again. */
  readonly answers: readonly (readonly [name: string, Answered])[]
}

/**
 * One round of a call. A client of revision 2026-07-28 receives questions as the result of its call and calls again
 * with the answers; the handler then runs again with all answers so far.
 */
export interface Round {
  readonly ask: AskClient
  readonly askConsent: AskConsent
  /** @returns the result of the work, or its unanswered questions */
  finish<T> (work: () => T | Promise<T>): Promise<T | ServerResult>
}

/** Name of the consent question; its answer counts only if it was asked for this very call. */
const CONSENT = 'consent'

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** Holds the signing key, shared by all rounds, so that an answer may arrive on any listening address. */
export function createRounds () {
  const codec = createRequestStateCodec<State>({ key: randomBytes(32) })
  const mark = `${randomBytes(6).toString('base64url')}.` // distinguishes the state of an earlier process from a tampered one
  return async (extra: Extra, params: unknown, capabilities: ClientCapabilities): Promise<Round> => {
    const { method, inputResponses = {} } = extra.mcpReq
    const { _meta, ...call } = (params ?? {}) as Record<string, unknown>
    const of = digestOf([method, call])
    const state = await stateOf(extra, codec, mark)
    const seal = async (rest: Omit<State, 'of'>) => mark + await codec.mint({ of, ...rest })
    return roundOf(inputResponses, state?.of === of ? state : undefined, capabilities, seal)
  }
}

/** State that is expired or from before a restart is ignored. @throws RpcError if it was tampered with */
async function stateOf (extra: Extra, codec: RequestStateCodec<State>, mark: string): Promise<State | undefined> {
  const sent = extra.mcpReq.requestState<string>()
  if (typeof sent !== 'string' || !sent.startsWith(mark)) return undefined
  try {
    return await codec.verify(sent.slice(mark.length), extra)
  } catch (error) {
    if (error instanceof Error && error.message === 'expired') return undefined
    throw new RpcError(INVALID_PARAMS, 'requestState was modified')
  }
}

function roundOf (responses: Readonly<Record<string, unknown>>, state: State | undefined,
  capabilities: ClientCapabilities, seal: (rest: Omit<State, 'of'>) => Promise<string>): Round {
  const asked = new Map(state?.asked)
  const earlier = new Map(state?.answers)
  const answers = new Map<string, Answered>()
  const open = new Map<string, Question>()
  let count = 0

  function responseTo (name: string, digest: string, mustBeAsked: boolean): unknown {
    const answered = earlier.get(name)
    if (answered?.to === digest) return answered.response
    const put = asked.get(name)
    const counts = put === undefined ? !mustBeAsked : put === digest
    return counts && Object.hasOwn(responses, name) ? responses[name] : undefined
  }

  function answerTo (name: string, question: Question, mustBeAsked = false): unknown {
    const { capability, answer } = KINDS[question.method]
    if (capabilities[capability] === undefined) throw new MissingCapability(capability)
    const digest = digestOf(question)
    const response = answer.safeParse(responseTo(name, digest, mustBeAsked))
    if (!response.success) {
      open.set(name, question)
      throw new Unanswered()
    }
    answers.set(name, { to: digest, response: response.data })
    return response.data
  }

  async function pending (): Promise<ServerResult | undefined> {
    if (open.size === 0) return undefined
    const digests = [...open].map(([name, question]) => [name, digestOf(question)] as const)
    const inputRequests = Object.fromEntries(open) as unknown as InputRequests
    return inputRequired({ inputRequests, requestState: await seal({ asked: digests, answers: [...answers] }) })
  }

  return {
    async ask<T> (method: string, params: object, { name = `question_${count + 1}` }: { name?: string } = {}) {
      count++
      if (!isKind(method)) throw new TypeError(`A client is asked by ${Object.keys(KINDS).join(', ')}, not by '${method}'`)
      if (name === CONSENT) throw new TypeError(`A question cannot be named '${CONSENT}'`)
      return answerTo(name, { method, params }) as T
    },
    askConsent: async act =>
      consentIn(answerTo(CONSENT, { method: 'elicitation/create', params: consentForm(act) }, true)),
    async finish (work) {
      try {
        const answer = await work()
        return await pending() ?? answer
      } catch (error) {
        const questions = await pending()
        if (questions !== undefined) return questions
        if (!(error instanceof MissingCapability)) throw error
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { [error.capability]: {} } })
      }
    }
  }
}
