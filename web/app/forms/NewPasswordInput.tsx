import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { PasswordOwner } from '@pool/contract/accounts/passwords'
import { useRef, useState } from 'react'

type Owner = Omit<PasswordOwner, 'productName'>

/** Fetches half a megabyte of words at the first focus. */
const fetchJudge = () => import('./judgePassword.ts')

/** The sentence for a weak password, or null. Without the judge the server still judges. */
export const weaknessSaid = async (password: string, owner: Owner): Promise<string | null> =>
  (await fetchJudge().catch(() => null))?.judgePassword(password, owner) ?? null

/** The typing delay before a password is judged. */
const TYPING_DELAY_MS = 200

type Props = PasswordInputProps & { readonly owner: () => Owner }

/** A field for a new password, with its weakness while typing. */
export const NewPasswordInput = ({ owner, error, onChange, ...input }: Props) => {
  const [weakness, setWeakness] = useState<string | null>(null)
  const typed = useRef('')
  const judge = useDebouncedCallback(async () => {
    const password = typed.current
    const said = await weaknessSaid(password, owner())
    if (password === typed.current) setWeakness(said)
  }, TYPING_DELAY_MS)
  return (
    <PasswordInput
      {...input}
      error={error ?? weakness}
      onFocus={() => void fetchJudge().catch(() => undefined)}
      onChange={(event) => {
        typed.current = event.currentTarget.value
        judge()
        onChange?.(event)
      }}
    />
  )
}
