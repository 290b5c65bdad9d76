import type { InjectOptions } from 'fastify'
import type { Kernel } from '../../core/index.js'

export type Fields = Readonly<Record<string, unknown>>
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface HttpAnswer {
  readonly status: number
  /** Parsed; empty if it is not JSON. */
  readonly body: { readonly [key: string]: any }
  readonly text: string
}

/** Sends a request in-process, without a network. */
export async function ask ({ app }: Kernel, method: HttpMethod, path: string, params?: Fields): Promise<HttpAnswer> {
  const inQuery = method === 'GET' || method === 'DELETE'
  const request: InjectOptions = {
    method,
    url: path,
    ...(params && (inQuery ? { query: params as Record<string, string> } : { payload: params as object }))
  }
  const { statusCode, body } = await app.inject(request)
  return { status: statusCode, text: body, body: parsed(body) }
}

function parsed (text: string): HttpAnswer['body'] {
  try {
    return JSON.parse(text) as HttpAnswer['body']
  } catch {
    return {}
  }
}
