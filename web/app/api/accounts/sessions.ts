import { logout } from '@pool/contract/accounts/users'
import { urlOf } from '../http/url.ts'

/** Ends a session on the server, even while the page closes. Ignores failures. */
export const endOnServer = (token: string): void => {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  fetch(urlOf(logout), {
    method: logout.method,
    headers,
    keepalive: true,
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => undefined)
}
