import type { FactorAnswer } from '@pool/contract/accounts/factors'
import { SESSION_CHECK_MS, USER_LIST_TIMEOUT_MS } from '@pool/contract/accounts/session'
import {
  changePassword as changePasswordEndpoint,
  currentUser,
  listUsers,
  login as loginEndpoint,
  REGISTRATION_COUNTRY,
  REGISTRATION_ROLE,
  type Role,
  type RoleType,
  register as registerEndpoint,
  roleFrom,
  type User,
} from '@pool/contract/accounts/users'
import { callFailed, connection, screenFailed, sessionMessages } from '@pool/contract/base/messages'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Answer, call } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import { listSource } from '../http/lists.ts'
import { asMoment, asRecord, asText, firstText, or, record, type Shape } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

export type Credentials = {
  readonly email: string
  readonly password: string
  readonly factor?: FactorAnswer | undefined
}
export type Registration = Omit<Credentials, 'factor'> & {
  readonly firstName: string
  readonly lastName: string
}

/** The body of a login, from any shape that servers send. */
type LoginAnswer = {
  readonly token: string | null
  readonly userId: string | null
  readonly username: string
  readonly role: Role
}

/** A login that can start a session. */
export type SignedIn = LoginAnswer & { readonly token: string; readonly userId: string }

/** The role in a list of objects with a type, or of bare names. */
const readRole = (value: unknown): Role =>
  roleFrom(
    Array.isArray(value)
      ? value
          .flatMap((role) => asText(asRecord(role)?.type ?? role) ?? [])
          .map((type) => ({ type }))
      : [],
  )

/**
 * Reads a login's body. The token is a string, an object with `access`, or a field `access` or
 * `accessToken` (docs/product.md 9.3).
 */
export const readLogin = (body: unknown, typedUsername: string): LoginAnswer => {
  const fields = asRecord(body) ?? {}
  const nested = asRecord(fields.token) ?? {}
  const token = firstText(
    {
      token: fields.token,
      nested: nested.access,
      access: fields.access,
      accessToken: fields.accessToken,
    },
    'token',
    'nested',
    'access',
    'accessToken',
  )
  return {
    token,
    userId: asText(fields.userId) ?? asText(nested.userId),
    username: asText(fields.username) ?? asText(nested.username) ?? typedUsername,
    role: readRole(fields.roles),
  }
}

const detail = record({
  firstName: or(asText, ''),
  lastName: or(asText, ''),
  email: asText,
} satisfies Shape<User['detail']>)

const user = record({
  id: (_, fields) => firstText(fields, 'id', 'userId') ?? '',
  username: or(asText, ''),
  detail,
  roles: readRole,
  dateCreated: asMoment,
  lastUpdated: asMoment,
} satisfies Shape<User>)

/** Reads the server's record of a user (docs/product.md 10.4). */
export const readUser = (value: unknown) => {
  const { username, detail, roles, ...rest } = user(value)
  return { ...rest, ...detail, email: detail.email ?? username, role: roles }
}

/** A user as screens show it. */
export type UserRow = ReturnType<typeof readUser>

/** Reads a login that can start a session. Throws an {@link ApiError} for any other. */
export const readSignedIn = (body: unknown, typedUsername: string): SignedIn => {
  const { token, userId, ...rest } = readLogin(body, typedUsername)
  const unusable = (message: string) => new ApiError(message, { kind: 'answer', status: 200 })
  if (!token) throw unusable(screenFailed.login)
  // A session needs the user's id (docs/product.md 8.5).
  if (!userId) throw unusable(sessionMessages.userIdMissing)
  return { ...rest, token, userId }
}

const login = async ({ email, password, factor }: Credentials): Promise<Answer<SignedIn>> => {
  const answer = await call(loginEndpoint, {
    payload: { username: email, password, ...(factor && { factor }) },
    texts: { otherwise: callFailed.login },
  })
  return { ...answer, data: readSignedIn(answer.data, email) }
}

/** Creates an ordinary account. Does not sign in (docs/product.md 3.4). */
const register = ({
  email,
  password,
  firstName,
  lastName,
}: Registration): Promise<Answer<unknown>> =>
  call(registerEndpoint, {
    query: { role: REGISTRATION_ROLE },
    payload: {
      username: email,
      password,
      country: REGISTRATION_COUNTRY,
      detail: { firstName, lastName, email },
    },
    texts: { otherwise: callFailed.register },
  })

/** Changes the password. Returns the token of the only session left. */
export const changePassword = async (payload: {
  readonly password: string
  readonly newPassword: string
}): Promise<string> => {
  const { data } = await call(changePasswordEndpoint, {
    payload,
    texts: { otherwise: callFailed.changePassword },
  })
  const token = asText(asRecord(data)?.token)
  if (!token) throw new ApiError(callFailed.changePassword, { kind: 'answer', status: 200 })
  return token
}

/** Signs in. The caller passes the response's `data` to `signIn`. */
export const useLogin = () => useMutation({ mutationFn: useSubmit(login) })

export const useRegister = () => useMutation({ mutationFn: useSubmit(register) })

/**
 * Looks the user up at the start and every five minutes, in hidden tabs too (docs/product.md 8.5).
 */
export const useCurrentUser = (username: string, onCheck: () => void) =>
  useQuery({
    queryKey: ['session', username],
    queryFn: async ({ signal }) => {
      onCheck()
      const { data } = await call(currentUser, {
        query: { username },
        signal,
        texts: { otherwise: callFailed.users },
      })
      const fields = asRecord(data)
      const hasRoles = Array.isArray(fields?.roles)
      return { ...readUser(data), data, hasRoles, frozen: fields?.frozen === true }
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: SESSION_CHECK_MS,
    refetchIntervalInBackground: true,
  })

const wireRoles: Readonly<Record<Role, RoleType>> = {
  SUPER_ADMIN: 'SUPER_ADMIN',
  AUDITOR: 'AUDITOR',
  admin: 'ADMIN',
  client: 'USER',
}

/** All users, for a super admin, with a timeout of 10 s (docs/product.md 9.5). */
export const userList = listSource({
  noun: 'users',
  endpoint: listUsers,
  read: readUser,
  texts: {
    otherwise: callFailed.users,
    timeout: connection.listTimeout,
    network: connection.listNetwork,
  },
  timeoutMs: USER_LIST_TIMEOUT_MS,
  fields: ({ role, firstName, lastName, dateCreated }) => ({
    role: wireRoles[role],
    name: `${firstName} ${lastName}`,
    createdAt: dateCreated,
  }),
})
