/** Second factors: to list, add, change and prove. */
import * as contract from '@pool/contract/accounts/factors'
import { passkeySignIn } from '@pool/contract/accounts/users'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { t } from '../../i18n/factors.ts'
import { late } from '../../loading/missing.ts'
import { call } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import { asFlag, asMoment, asNumber, asRecord, asText, list } from '../http/reading.ts'
import { readSignedIn, type SignedIn } from './users.ts'

const texts = () => ({ otherwise: t('failed') })

/** Reads a second factor. */
export const readFactor = (value: unknown) => {
  const fields = asRecord(value) ?? {}
  return {
    id: asText(fields.id) ?? '',
    kind: asText(fields.kind) ?? '',
    name: asText(fields.name) ?? '',
    createdAt: asMoment(fields.createdAt),
    lastUsedAt: asMoment(fields.lastUsedAt),
    isLeaked: asFlag(fields.leaked),
  }
}
export type ListedFactor = ReturnType<typeof readFactor>

const queryKey = ['factors']

/** The caller's factors, and the number of recovery codes left. */
export const useFactors = () =>
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const fields = asRecord((await call(contract.listFactors, { signal, texts: texts() })).data)
      return {
        factors: list(readFactor)(fields?.factors),
        recoveryCodes: asNumber(fields?.recoveryCodes) ?? 0,
        isRequired: asFlag(fields?.required),
      }
    },
  })

/** A change of factors, after which the list is loaded again. */
export const useFactorChange = <Given, Result>(change: (given: Given) => Promise<Result>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey }),
  })
}

const readCodes = (data: unknown): readonly string[] => {
  const codes = asRecord(data)?.recoveryCodes
  return Array.isArray(codes) ? codes.flatMap((code) => asText(code) ?? []) : []
}

/** The password of a first factor. Later ones need none. */
type Begin = { readonly password?: string | undefined }
const payloadOf = ({ password }: Begin) => (password === undefined ? {} : { password })

export const beginTotp = async (begin: Begin) => {
  const { data } = await call(contract.beginTotp, { payload: payloadOf(begin), texts: texts() })
  const fields = asRecord(data) ?? {}
  return {
    enrolment: asText(fields.enrolment) ?? '',
    secret: asText(fields.secret) ?? '',
    uri: asText(fields.uri) ?? '',
  }
}

export const confirmTotp = async (payload: {
  readonly enrolment: string
  readonly name: string
  readonly code: string
}) => readCodes((await call(contract.confirmTotp, { payload, texts: texts() })).data)

/** The browser's part comes with the first passkey. */
const browser = () => import('@simplewebauthn/browser')

/** A refusal of the browser, such as a cancelled prompt or no passkeys at all, in words. */
const byBrowser = async <Result>(
  work: (passkeys: Awaited<ReturnType<typeof browser>>) => Promise<Result>,
): Promise<Result> => {
  const passkeys = await late(browser)
  try {
    return await work(passkeys)
  } catch {
    throw new ApiError(t('passkey.failed'), { kind: 'notSent' })
  }
}

type Options = Parameters<
  Awaited<ReturnType<typeof browser>>['startAuthentication']
>[0]['optionsJSON']
type NewOptions = Parameters<
  Awaited<ReturnType<typeof browser>>['startRegistration']
>[0]['optionsJSON']

export const addPasskey = async ({ name, ...begin }: Begin & { readonly name: string }) => {
  const { data } = await call(contract.beginPasskey, { payload: payloadOf(begin), texts: texts() })
  const made = await byBrowser(({ startRegistration }) =>
    startRegistration({ optionsJSON: data as NewOptions }),
  )
  const response = made as unknown as contract.PasskeyResponse
  return readCodes(
    (await call(contract.confirmPasskey, { payload: { name, response }, texts: texts() })).data,
  )
}

/** The answer of a passkey to options of the server. */
const signedBy = async (options: unknown): Promise<contract.PasskeyResponse> => {
  const made = await byBrowser(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: options as Options }),
  )
  return made as unknown as contract.PasskeyResponse
}

export const passkeyAnswer = async (options: unknown): Promise<contract.FactorAnswer> => ({
  kind: 'PASSKEY',
  response: await signedBy(options),
})

/** Options to prove a passkey of the caller. */
export const ownPasskeyOptions = async (): Promise<unknown> =>
  (await call(contract.passkeyOptions, { texts: texts() })).data

/** Proves a factor for the calls that ask for one. */
export const proveFactor = async (payload: contract.FactorAnswer): Promise<void> => {
  await call(contract.proveFactor, { payload, texts: texts() })
}

/** Signs in by a passkey alone. */
export const signInByPasskey = async (): Promise<SignedIn> => {
  const { data } = await call(contract.passkeySignInOptions, { texts: texts() })
  const response = await signedBy(data)
  const answer = await call(passkeySignIn, { payload: { response }, texts: texts() })
  return readSignedIn(answer.data, '')
}

export const renameFactor = async ({ id, name }: { readonly id: string; readonly name: string }) =>
  call(contract.renameFactor, { params: { id }, payload: { name }, texts: texts() })

export const removeFactor = async (id: string) =>
  call(contract.removeFactor, { params: { id }, texts: texts() })

export const renewRecoveryCodes = async () =>
  readCodes((await call(contract.renewRecoveryCodes, { texts: texts() })).data)
