import type { Kernel } from '../../../core/index.js'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export interface Said {
  readonly status: number
  readonly body: any
  readonly headers: Record<string, unknown>
  readonly text: string
}

export const ELSEWHERE = '192.168.1.77'
export const PASSWORD = 'correct horse battery'

interface As {
  readonly key?: string
  readonly cookie?: string
  readonly from?: string
  readonly headers?: Record<string, string>
}

/** Asks a route as somebody: with a key, a cookie, or from this machine without either. */
export async function ask (kernel: Kernel, method: Method, url: string, payload?: object, as: As = {}): Promise<Said> {
  const { statusCode, body, headers } = await kernel.app.inject({
    method,
    url,
    remoteAddress: as.from ?? '127.0.0.1',
    headers: {
      ...(as.key && { authorization: `Bearer ${as.key}` }), ...(as.cookie && { cookie: as.cookie }), ...as.headers
    },
    ...(payload && { payload })
  })
  let json: unknown
  try { json = JSON.parse(body) } catch { json = undefined }
  return { status: statusCode, body: json, headers, text: body }
}

/** Logs in at the page. @returns the answer, and the cookie as a browser would send it */
export async function logIn (kernel: Kernel, name: string, password: string, as: As & { next?: string } = {}) {
  const { statusCode, headers, body } = await kernel.app.inject({
    method: 'POST',
    url: '/login',
    remoteAddress: as.from ?? '127.0.0.1',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(as.cookie && { cookie: as.cookie }), ...as.headers },
    payload: new URLSearchParams({ name, password, ...(as.next !== undefined && { next: as.next }) }).toString()
  })
  const set = [headers['set-cookie'] ?? []].flat().find(text => text.includes('prnd_p_')) ?? ''
  return { status: statusCode, location: headers.location, set, cookie: set.split(';')[0] ?? '', body }
}

/** The first users and keys are made on the machine itself, as its command line does it. */
export async function localPass (kernel: Kernel): Promise<string> {
  const { localPassOf } = await import('../../../plugins/http/index.js')
  return localPassOf(kernel.folderKey ?? '')
}
