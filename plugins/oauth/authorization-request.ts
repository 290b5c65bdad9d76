import type { Role } from '../../core/index.js'
import { isResourceAt } from './address.js'
import type { Client } from './clients.js'
import { OAuthRequestRefused } from './errors.js'
import { answerTo, isSameRedirectUri, redirectUriProblem } from './redirect-uri.js'

/** The parameters with which a program sends a person to the consent page; none of them is trusted. */
export interface AuthorizationParams {
  readonly client_id: string
  readonly redirect_uri?: string | undefined
  readonly response_type?: string | undefined
  readonly code_challenge?: string | undefined
  readonly code_challenge_method?: string | undefined
  readonly state?: string | undefined
  readonly scope?: string | undefined
  readonly resource?: string | undefined
}

/** A request that may be shown to a person. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly redirect: string
  readonly challenge: string
  readonly state: string | undefined
  /** The most that the program asks for. */
  readonly role: Exclude<Role, 'administrate'>
  /** Where the person goes to say no. */
  readonly refusal: string
}

/** What a program may ask for; administrating is for people. */
export const SCOPES = ['view', 'operate'] as const

/** SHA-256, as base64 for URLs. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/**
 * The address to which codes may be sent. It is none of this service: the browser would follow it as the person.
 * @throws PRN_ERR_OAUTH_REQUEST, without a way back
 */
function redirectOf (client: Client, asked: string | undefined, address: string): string {
  const redirect = registeredRedirect(client, asked)
  if (new URL(redirect).origin === address) throw new OAuthRequestRefused('it wants to send you back to this service')
  return redirect
}

function registeredRedirect ({ redirectUris }: Client, asked: string | undefined): string {
  const [only] = redirectUris
  if (asked === undefined) {
    if (redirectUris.length === 1 && only !== undefined && redirectUriProblem(only) === undefined) return only
    throw new OAuthRequestRefused('it does not say where to send you back')
  }
  const isKnown = redirectUriProblem(asked) === undefined && redirectUris.some(uri => isSameRedirectUri(uri, asked))
  if (!isKnown) throw new OAuthRequestRefused('it wants to send you to an address that it did not register')
  return asked
}

/** Unknown scopes are ignored; without a known one, the program leaves it to the person. */
function roleIn (scope: string | undefined): AuthorizationRequest['role'] {
  const asked = new Set(scope?.split(' '))
  return asked.has('view') && !asked.has('operate') ? 'view' : 'operate'
}

type Fault = readonly [error: string, reason: string]

function faultIn (params: AuthorizationParams, address: string): Fault | undefined {
  const { response_type: type, code_challenge: challenge = '', code_challenge_method: method, resource } = params
  if (type !== 'code') return ['unsupported_response_type', 'it asks for something else than a code']
  if (method !== 'S256' || !CHALLENGE.test(challenge)) return ['invalid_request', 'it does not protect its code (PKCE with S256)']
  if (resource !== undefined && !isResourceAt(address, resource)) return ['invalid_target', 'it wants access to another service']
  return undefined
}

/**
 * Checks a request before it is shown to a person, and again before anything is granted.
 * @param address of this service
 * @throws PRN_ERR_OAUTH_REQUEST; with `return_to` if the program may be told
 */
export function checkAuthorization (params: AuthorizationParams, client: Client, address: string):
AuthorizationRequest {
  const redirect = redirectOf(client, params.redirect_uri, address)
  const { state } = params
  const back = (error: string, reason?: string) =>
    answerTo(redirect, { error, error_description: reason, state, iss: address })
  const [error, reason = ''] = faultIn(params, address) ?? []
  if (error !== undefined) throw new OAuthRequestRefused(reason).with({ return_to: back(error, reason) })
  const { code_challenge: challenge = '', scope } = params
  return { client, redirect, challenge, state, role: roleIn(scope), refusal: back('access_denied') }
}
