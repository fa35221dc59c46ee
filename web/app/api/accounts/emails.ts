/** The email address of a user: its confirmation, and its change. */
import { askEmailLink, changeEmail, confirmEmail } from '@pool/contract/accounts/emails'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../http/client.ts'
import { asRecord } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

/**
 * True for a confirmed address, from the look-up that each session makes. Undefined before. Servers
 * that do not tell confirm nothing.
 */
export const useEmailConfirmed = (username: string | undefined): boolean | undefined => {
  const { data } = useQuery({ queryKey: ['session', username], enabled: false })
  const looked = asRecord(data)
  return looked ? asRecord(looked.data)?.emailConfirmed !== false : undefined
}

/** The address of a used link. */
type Confirmed = { readonly email: string; readonly changed: boolean }

/** Uses a mailed link. Tells whether it changed the address. */
export const useConfirmEmail = (otherwise: string) => {
  const client = useQueryClient()
  const confirm = async (token: string): Promise<Confirmed> => {
    const { data } = await call(confirmEmail, { payload: { token }, texts: { otherwise } })
    const { email, changed } = asRecord(data) ?? {}
    return { email: typeof email === 'string' ? email : '', changed: changed === true }
  }
  return useMutation({
    mutationFn: useSubmit(confirm),
    onSuccess: ({ changed }: Confirmed) =>
      changed ? undefined : client.invalidateQueries({ queryKey: ['session'] }),
  })
}

/** Asks for a new mail with a link that confirms the address. */
export const useAskEmailLink = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(askEmailLink, { texts: { otherwise } }),
    // The address may have been confirmed elsewhere.
    onError: () => client.invalidateQueries({ queryKey: ['session'] }),
  })
}

/** Asks for a mail to a new address. The answer does not tell whether it is taken. */
export const useChangeEmail = (otherwise: string) =>
  useMutation({
    mutationFn: useSubmit((payload: { readonly email: string; readonly password: string }) =>
      call(changeEmail, { payload, texts: { otherwise } }),
    ),
  })

/** Looks the user up again when the tab is shown again: the link may have opened another one. */
export const useLookAgain = (isOn: boolean): void => {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOn) return
    const look = () => void client.invalidateQueries({ queryKey: ['session'] })
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [client, isOn])
}
