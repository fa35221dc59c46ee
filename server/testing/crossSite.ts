import type { Person } from './product.ts'

type Shape = (body: string) => {
  readonly headers: Record<string, string>
  readonly payload?: string
  readonly method?: string
  readonly query?: string
}

/** The forms in which a page of another site could make a browser send a call. */
export const crossSiteShapes = ({
  staff,
  investor,
}: {
  readonly staff: Person
  readonly investor: Person
}): readonly Shape[] => [
  (payload) => ({ headers: { 'content-type': 'text/plain' }, payload }),
  (payload) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `${payload}=`,
  }),
  (payload) => ({
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: `--x\r\n\r\n${payload}\r\n--x--`,
  }),
  (payload) => ({ headers: {}, payload }),
  (payload) => ({
    headers: { 'content-type': 'application/json', cookie: `token=${staff.token}` },
    payload,
  }),
  (payload) => ({
    headers: { 'content-type': 'application/json' },
    payload,
    query: `token=${investor.token}&access_token=${investor.token}`,
  }),
  () => ({ headers: {}, method: 'GET', query: `userId=${investor.id}&amount=10` }),
  (payload) => ({
    headers: { 'content-type': 'text/plain', 'x-http-method-override': 'POST' },
    payload,
    method: 'GET',
  }),
  () => ({
    headers: {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
    method: 'OPTIONS',
  }),
  (payload) => ({
    headers: { 'content-type': 'text/json', authorization: `Bearer ${investor.token}` },
    payload,
  }),
]
