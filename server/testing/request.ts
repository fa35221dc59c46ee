import { type Body, type Endpoint, IDEMPOTENCY_HEADER } from '@pool/contract/base/endpoint'
import type { Language } from '@pool/contract/base/languages'
import type { Page } from '@pool/contract/base/lists'

/** A call of a test. `params` fill the path, `query` follows it. */
export type Request = {
  readonly token?: string
  readonly payload?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Its idempotency key. */
  readonly key?: string
  readonly language?: Language
}

/** The envelope with its status. A refusal has another `body` than `T`. */
export type Answer<T = unknown> = {
  readonly status: number
  readonly successful: boolean
  readonly narration: string
  readonly body: T
  readonly page?: Page
}

/** A call as HTTP sends it. `path` holds the query. */
export const httpOf = (
  { method, path }: Endpoint,
  { token, payload, params = {}, query = {}, key, language }: Request = {},
) => {
  const asked = String(new URLSearchParams(query))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return {
    method,
    path: asked ? `${filled}?${asked}` : filled,
    headers: {
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(language !== undefined && { 'accept-language': language }),
      ...(key !== undefined && { [IDEMPOTENCY_HEADER]: key }),
    },
    ...(payload !== undefined && { body: JSON.stringify(payload) }),
  }
}

/** Makes a call to a product at this URL. Rejects only without a response. */
export const ask = async <E extends Endpoint>(
  { url }: { readonly url: string },
  endpoint: E,
  request: Request = {},
): Promise<Answer<Body<E>>> => {
  const { path, ...sent } = httpOf(endpoint, request)
  const response = await fetch(url + path, sent)
  const envelope = (await response.json()) as Omit<Answer<Body<E>>, 'status'>
  return { status: response.status, ...envelope }
}
