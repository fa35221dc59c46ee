import type { Endpoint } from '@pool/contract/base/endpoint'
import { configuration } from '../../configuration.ts'

/** The origin of the API; empty for the page's own. */
export const apiHost = (): string => configuration().apiHost.replace(/\/+$/, '')

/** The URL of a call, with its path parameters and its query. */
export const urlOf = (endpoint: Endpoint, params: object = {}, query: object = {}): string => {
  const path = Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(String(value))),
    endpoint.path,
  )
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
  return `${apiHost()}${path}${search.size > 0 ? `?${search}` : ''}`
}
