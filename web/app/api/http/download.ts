import type { Endpoint } from '@pool/contract/base/endpoint'
import { language } from '../../i18n/language.ts'
import { readToken } from './bearer.ts'
import { isServerThere, refused } from './client.ts'
import { ApiError, type FailureTexts, messageOfKind } from './errors.ts'
import { askFactor } from './stepUp.ts'
import { urlOf } from './url.ts'

type Download = {
  readonly texts: FailureTexts
  readonly signal: AbortSignal
  /** Takes the bytes so far. */
  readonly onProgress?: (bytes: number) => void
  readonly params?: object
}

/** Reads a file that the server makes. Throws an {@link ApiError}, like `call`. */
export const download = async (
  endpoint: Endpoint & { readonly downloads: string },
  options: Download,
): Promise<Blob> => {
  const { texts, signal, onProgress, params } = options
  const token = endpoint.access === 'public' ? null : readToken()
  const lost = async (error: unknown): Promise<never> => {
    if (signal.aborted) throw error
    const kind = navigator.onLine && !(await isServerThere()) ? 'refused' : 'network'
    throw new ApiError(messageOfKind(kind, texts), { kind })
  }
  const response = await fetch(urlOf(endpoint, params), {
    method: endpoint.method,
    headers: {
      accept: `${endpoint.downloads}, application/json`,
      'accept-language': language,
      ...(endpoint.access !== 'public' && { authorization: `Bearer ${token}` }),
    },
    credentials: 'omit',
    cache: 'no-store',
    signal,
  }).catch(lost)
  const { ok, status, headers, body } = response
  if (!ok || !body || !headers.get('content-type')?.startsWith(endpoint.downloads)) {
    const text = await response.text().catch(lost)
    const error = refused(endpoint, { status, text, token, texts })
    const wantsFactor = error.code === 'factorNeeded' || error.code === 'enrolFactor'
    if (wantsFactor && (await askFactor(error))) return download(endpoint, options)
    throw error
  }
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length
      onProgress?.(bytes)
      controller.enqueue(chunk)
    },
  })
  return new Response(body.pipeThrough(counted), {
    headers: { 'content-type': endpoint.downloads },
  })
    .blob()
    .catch(lost)
}
